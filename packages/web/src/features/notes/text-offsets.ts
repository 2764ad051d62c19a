/**
 * A selection as character offsets from the start of a text. Formulas and checkbox labels are not counted, so that the
 * same offsets are valid in the read-only view and in the editor.
 */
export interface TextOffsets {
  readonly anchor: number;
  readonly head: number;
}

/**
 * Returns the page's selection as character offsets from the start of an element's text. Returns undefined if an end of
 * the selection is outside the element.
 */
export function selectionOffsets(element: HTMLElement): TextOffsets | undefined {
  const selection = getSelection();
  if (
    !selection?.anchorNode ||
    !selection.focusNode ||
    !element.contains(selection.anchorNode) ||
    !element.contains(selection.focusNode)
  )
    return undefined;
  return {
    anchor: offsetOf(element, selection.anchorNode, selection.anchorOffset),
    head: offsetOf(element, selection.focusNode, selection.focusOffset),
  };
}

function offsetOf(element: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  const inside = range.cloneContents();
  for (const one of inside.querySelectorAll('[data-math]')) one.remove();
  return inside.textContent.length;
}

/**
 * Returns the text node at a character offset in an element, and the offset within that node. Returns undefined if the
 * offset is beyond the end.
 */
export function nodeAtOffset(element: HTMLElement, letters: number): { node: Node; offset: number } | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // Skip texts that differ between the read-only view and the editor: checkbox labels for screen readers, and
    // formulas.
    if (node.parentElement?.closest('label, [data-math]')) continue;
    const length = node.nodeValue?.length ?? 0;
    if (letters <= before + length) return { node, offset: letters - before };
    before += length;
  }
  return undefined;
}
