import { toComparableText, locateQuote } from '@sheaf/markdown/quote-anchor';

/** A comment thread with the text that it is attached to, as `list_note_comments` returns it. */
export interface AnchoredThread {
  readonly comment_id: string;
  readonly quote: string;
  readonly before: string;
  readonly after: string;
  readonly position: number;
  readonly resolved: boolean;
}

const highlightName = 'comments';
const activeName = 'active-comment';
/** Delay in milliseconds between a change of the note and the next search for the commented texts. */
const settleMs = 200;

interface ShownText {
  readonly text: string;
  readonly nodes: readonly Text[];
  /** For each of the nodes, the offset in `text` at which it starts. */
  readonly starts: readonly number[];
}

function shownText(element: Element): ShownText {
  const nodes: Text[] = [];
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  // Skip suggested insertions, because they are displayed but not part of the note yet.
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
    parentElement?.closest('ins.suggested') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    nodes.push(node);
    starts.push(length);
    parts.push(node.data);
    length += node.length;
  }
  return { text: parts.join(''), nodes, starts };
}

function pointAt({ nodes, starts }: ShownText, offset: number): { node: Text; offset: number } {
  let low = 0;
  for (let high = starts.length - 1; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { node: nodes[low]!, offset: offset - starts[low]! };
}

function rangesOf(element: Element, threads: readonly AnchoredThread[]): Map<string, Range> {
  const shown = shownText(element);
  const compared = toComparableText(shown.text);
  const found = new Map<string, Range>();
  for (const { comment_id: id, quote, before, after, position: at } of threads) {
    const place = quote === '' ? undefined : locateQuote(compared, { quote, before, after, at });
    if (!place) continue;
    const range = document.createRange();
    const [start, end] = [pointAt(shown, place.from), pointAt(shown, place.to - 1)];
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset + 1);
    found.set(id, range);
  }
  return found;
}

/**
 * Highlights the commented text of each open thread in the displayed note, and updates the highlights while the note is
 * edited. Uses the CSS Highlight API, which does not change the editor's document.
 */
export class CommentHighlighter {
  readonly #pane: HTMLElement;
  readonly #observer: MutationObserver;
  #threads: readonly AnchoredThread[] = [];
  #ranges = new Map<string, Range>();
  #active: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pane: HTMLElement) {
    this.#pane = pane;
    this.#observer = new MutationObserver(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#find(), settleMs);
    });
    this.#observer.observe(pane, { childList: true, subtree: true, characterData: true });
  }

  show(threads: readonly AnchoredThread[], active: string | undefined): void {
    this.#threads = threads.filter(({ resolved }) => !resolved);
    this.#active = active;
    this.#find();
  }

  #find(): void {
    const element = this.#pane.querySelector('.prose');
    this.#ranges = element ? rangesOf(element, this.#threads) : new Map();
    if (!('highlights' in CSS)) return;
    const active = this.#active === undefined ? undefined : this.#ranges.get(this.#active);
    CSS.highlights.set(highlightName, new Highlight(...this.#ranges.values()));
    CSS.highlights.set(activeName, new Highlight(...(active ? [active] : [])));
  }

  /** Scrolls to the commented text of a thread. Returns false if the text was not found in the note. */
  scrollTo(id: string): boolean {
    const range = this.#ranges.get(id);
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: 'smooth' });
    return range !== undefined;
  }

  /** Returns the id of the thread whose commented text contains the given DOM position. Undefined if there is none. */
  threadAt(node: Node, offset: number): string | undefined {
    for (const [id, range] of this.#ranges) if (range.isPointInRange(node, offset)) return id;
    return undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#observer.disconnect();
    if (!('highlights' in CSS)) return;
    CSS.highlights.delete(highlightName);
    CSS.highlights.delete(activeName);
  }
}
