export const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), textarea, select, [tabindex="0"], [contenteditable="true"]';
const fields = 'input, textarea, select, [contenteditable="true"]';

/**
 * Gives the focus back when a dialog, menu or popover closes: to what opened it, or where that stands around a place to work in
 * (tools around a grid, marked `data-focus-scope`), to that place (`data-focus-home`). Never to nothing: keys would go nowhere.
 */
export function giveFocusBack(...openers: readonly (Element | null | undefined)[]): void {
  for (const opener of openers) {
    if (!(opener instanceof HTMLElement) || !opener.isConnected || opener === document.body) continue;
    if (takesFocus(homeOf(opener) ?? opener)) return;
  }
  if (!takesFocus(document.querySelector<HTMLElement>('[data-focus-home]')))
    takesFocus(document.getElementById('main'));
}

/** A field of text, and what stands in a dialog or in a scope without such a place (a panel), is where the person was. */
function homeOf(opener: HTMLElement): HTMLElement | null | undefined {
  if (opener.matches(fields)) return opener;
  return opener.closest('dialog, [data-focus-scope]')?.querySelector<HTMLElement>('[data-focus-home]');
}

/** Whether it, or something in it, has the focus now. */
function takesFocus(element: HTMLElement | null): boolean {
  if (!element) return false;
  element.focus({ preventScroll: true });
  if (document.activeElement !== element) element.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
  placeCaret(document.activeElement);
  return element.contains(document.activeElement);
}

/** A field that the browser focused while a dialog still covered it has no caret: keys would reach it and type nothing. */
function placeCaret(field: Element | null): void {
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  if (isText && field.selectionStart !== null) field.setSelectionRange(field.selectionStart, field.selectionEnd);
}
