const focusable = 'textarea, input, button:not(:disabled), select, [tabindex="0"]';

/**
 * Makes F6 and Shift+F6 move the focus between the regions of the spreadsheet page: toolbar, formula bar, cells, panel,
 * tabs. Returns a function that removes the shortcut.
 */
export function installFocusCycling(page: HTMLElement): () => void {
  const walk = (event: KeyboardEvent): void => {
    if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
    const parts = [...page.querySelectorAll<HTMLElement>('[data-part]')].filter((one) => one.querySelector(focusable));
    const at = parts.findIndex((one) => one.contains(document.activeElement));
    const next = at < 0 && event.shiftKey ? parts.at(-1) : parts.at((at + (event.shiftKey ? -1 : 1)) % parts.length);
    const first = next?.querySelector<HTMLElement>('[data-grid-field], [role=tab][aria-selected=true]');
    event.preventDefault();
    (first ?? next?.querySelector<HTMLElement>(focusable))?.focus();
  };
  page.addEventListener('keydown', walk);
  return () => page.removeEventListener('keydown', walk);
}
