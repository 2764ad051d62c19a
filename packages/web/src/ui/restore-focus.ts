export const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), textarea, select, [tabindex="0"], [contenteditable="true"]';
const fields = 'input, textarea, select, [contenteditable="true"]';

/**
 * Restores the focus when a dialog, menu or popover closes. `openers` are the elements that had the focus before; the
 * first one that still exists gets it. If this is a button in a `data-focus-scope` (such as the toolbar of a grid), the
 * scope's `data-focus-home` element gets the focus instead. The focus never stays on the body, where key presses would
 * be lost.
 */
export function restoreFocus(...openers: readonly (Element | null | undefined)[]): void {
  for (const opener of openers) {
    if (!(opener instanceof HTMLElement) || !opener.isConnected || opener === document.body) continue;
    if (takesFocus(focusHomeOf(opener) ?? opener)) return;
  }
  if (!takesFocus(document.querySelector<HTMLElement>('[data-focus-home]')))
    takesFocus(document.getElementById('main'));
}

/**
 * Returns the element to focus when a dialog, menu or popover closes. `opener` had the focus before. A text field is
 * returned itself; for any other element, the `data-focus-home` element of the dialog or scope around it. Returns
 * undefined or null if there is none.
 */
function focusHomeOf(opener: HTMLElement): HTMLElement | null | undefined {
  if (opener.matches(fields)) return opener;
  return opener.closest('dialog, [data-focus-scope]')?.querySelector<HTMLElement>('[data-focus-home]');
}

/** Focuses the element or its first focusable descendant. Returns whether the element then contains the focus. */
function takesFocus(element: HTMLElement | null): boolean {
  if (!element) return false;
  element.focus({ preventScroll: true });
  if (document.activeElement !== element) element.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
  placeCaret(document.activeElement);
  return element.contains(document.activeElement);
}

/**
 * Restores the caret of a text field. A field that was focused under an open dialog has no caret and ignores typing.
 */
function placeCaret(field: Element | null): void {
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  if (isText && field.selectionStart !== null) field.setSelectionRange(field.selectionStart, field.selectionEnd);
}
