import { focusable, restoreFocus } from './restore-focus.ts';

/**
 * Observes the page. When the focused element is removed, moves the focus to its nearest remaining ancestor that
 * contains a focusable element.
 */
export function recoverLostFocus(): void {
  let path: readonly Element[] = [];
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? ancestorsOf(target) : [];
  });
  new MutationObserver(() => {
    if (path.length === 0 || path[0]!.isConnected || document.activeElement !== document.body) return;
    const nearest = path.filter((one) => one.isConnected && one !== document.body);
    path = [];
    const end = nearest.findIndex((one) => one.matches('main, dialog, [data-focus-scope]'));
    const around = end < 0 ? nearest : nearest.slice(0, end + 1);
    restoreFocus(around.find((one) => one.querySelector(focusable)));
  }).observe(document.body, { childList: true, subtree: true });
}

function ancestorsOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let one: Element | null = element; one && one !== document.documentElement; one = one.parentElement)
    found.push(one);
  return found;
}
