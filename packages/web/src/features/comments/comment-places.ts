import { comparedText, locateQuote } from '@sheaf/markdown/quote-anchor';

/** A thread's anchor as `list_note_comments` returns it. */
export interface Anchored {
  readonly comment_id: string;
  readonly quote: string;
  readonly before: string;
  readonly after: string;
  readonly position: number;
  readonly resolved: boolean;
}

const highlightName = 'comments';
const activeName = 'active-comment';
/** Delay after a change of the note until the places are found again. */
const settleMs = 200;

interface ShownText {
  readonly text: string;
  readonly nodes: readonly Text[];
  /** Offset of each node in the text. */
  readonly starts: readonly number[];
}

function shownText(element: Element): ShownText {
  const nodes: Text[] = [];
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  // A suggested insertion is shown, but is not in the note yet.
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

function rangesOf(element: Element, threads: readonly Anchored[]): Map<string, Range> {
  const shown = shownText(element);
  const compared = comparedText(shown.text);
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
 * Marks the places of open threads in the shown note and keeps them current while it is edited. Uses the browser's
 * highlights, which leave the document of the editor as it is.
 */
export class CommentPlaces {
  readonly #pane: HTMLElement;
  readonly #observer: MutationObserver;
  #threads: readonly Anchored[] = [];
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

  show(threads: readonly Anchored[], active: string | undefined): void {
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

  /** Scrolls to the place of a thread. Returns whether it has one. */
  scrollTo(id: string): boolean {
    const range = this.#ranges.get(id);
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: 'smooth' });
    return range !== undefined;
  }

  /** Returns the thread whose text contains the point of the document. */
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
