/** A selection counted in letters from the beginning of a text: it means the same in another picture of that text. */
export interface TextPlace {
  readonly anchor: number;
  readonly head: number;
}

/** What is selected inside of an element. */
export function placeIn(element: HTMLElement): TextPlace | undefined {
  const selection = getSelection();
  if (
    !selection?.anchorNode ||
    !selection.focusNode ||
    !element.contains(selection.anchorNode) ||
    !element.contains(selection.focusNode)
  )
    return undefined;
  return {
    anchor: lettersBefore(element, selection.anchorNode, selection.anchorOffset),
    head: lettersBefore(element, selection.focusNode, selection.focusOffset),
  };
}

function lettersBefore(element: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  const inside = range.cloneContents();
  for (const one of inside.querySelectorAll('[data-math]')) one.remove();
  return inside.textContent.length;
}

/** The text node that holds the letter of that number, and which of its own it is. */
export function nodeAt(element: HTMLElement, letters: number): { node: Node; offset: number } | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // Words for those who do not see the box of a task are no letters of the text; a formula is drawn sooner here, later there.
    if (node.parentElement?.closest('label, [data-math]')) continue;
    const length = node.nodeValue?.length ?? 0;
    if (letters <= before + length) return { node, offset: letters - before };
    before += length;
  }
  return undefined;
}
