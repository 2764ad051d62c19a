const name = 'found';

/**
 * Scrolls to the first occurrence of `find` in a note and highlights it. Does the same again when the editor replaces
 * the read-only view, unless the user has acted in the meantime. Returns a function that stops this and removes the
 * highlight.
 */
export function highlightHit(pane: HTMLElement, find: string): () => void {
  let shownIn: Element | undefined;
  const show = (): void => {
    const text = pane.querySelector('.prose');
    if (!text || text === shownIn) return;
    const range = findTextRange(text, find);
    if (!range) return;
    shownIn = text;
    range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    // The CSS Highlight API marks the range without changing the editor's document.
    if ('highlights' in CSS) CSS.highlights.set(name, new Highlight(range));
  };
  const observer = new MutationObserver(show);
  const stop = (): void => observer.disconnect();
  observer.observe(pane, { childList: true, subtree: true });
  for (const event of ['pointerdown', 'keydown', 'wheel']) window.addEventListener(event, stop, { once: true });
  show();
  return () => {
    stop();
    for (const event of ['pointerdown', 'keydown', 'wheel']) window.removeEventListener(event, stop);
    if ('highlights' in CSS) CSS.highlights.delete(name);
  };
}

/**
 * Returns the first occurrence of a text in an element, or undefined if not found. A space matches white space of any
 * length.
 */
function findTextRange(element: Element, find: string): Range | undefined {
  const wanted = find.replace(/\s+/g, ' ').trim();
  if (wanted === '') return undefined;
  const places: { node: Text; offset: number }[] = [];
  let folded = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null)
    for (let offset = 0; offset < node.length; offset++) {
      const unit = node.data[offset]!;
      const isSpace = /\s/.test(unit);
      if (isSpace && folded.endsWith(' ')) continue;
      folded += isSpace ? ' ' : unit;
      places.push({ node, offset });
    }
  const from = folded.indexOf(wanted);
  const start = places[from];
  const end = places[from + wanted.length - 1];
  if (from < 0 || !start || !end) return undefined;
  const range = document.createRange();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset + 1);
  return range;
}
