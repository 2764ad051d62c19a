const contextLength = 40;

/** A selected text of a note, with the text directly before and after it. */
export interface SelectedQuote {
  readonly quote: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the selected text of the note and the text around it, or undefined if nothing in the note is selected. */
export function selectedQuote(pane: HTMLElement): SelectedQuote | undefined {
  const element = pane.querySelector('.prose');
  const selection = getSelection();
  if (!element || !selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!element.contains(range.commonAncestorContainer)) return undefined;
  const selected = range.toString();
  const quote = selected.trim();
  if (quote === '') return undefined;
  // The white space at the ends of the selection belongs to the text around the quote.
  const [start] = selected.split(quote, 1);
  const end = selected.slice(start!.length + quote.length);
  const around = document.createRange();
  around.selectNodeContents(element);
  around.setEnd(range.startContainer, range.startOffset);
  const before = (around.toString() + start!).slice(-contextLength);
  around.selectNodeContents(element);
  around.setStart(range.endContainer, range.endOffset);
  return { quote, before, after: (end + around.toString()).slice(0, contextLength) };
}
