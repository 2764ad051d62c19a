import { focusManager } from '@tanstack/react-query';

/** Time in milliseconds without input after which a page stops polling. Events of the server still reach it. */
export const restAfterMs = 5 * 60_000;
/** Interval in milliseconds at which a page that is open but not used looks for events that it missed. */
export const lookEveryMs = 15 * 60_000;
const checkMs = 60_000;
const inputs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus'] as const;

/**
 * Stops the polling of queries while nobody uses the page, so that an open page costs little. The first input reads what
 * is out of date, as when the window is focused again.
 */
export function restUnused(target: Pick<EventTarget, 'addEventListener'> = window): void {
  let usedAt = Date.now();
  let lookedAt = 0;
  let isResting = false;
  const use = (): void => {
    usedAt = Date.now();
    if (!isResting) return;
    isResting = false;
    focusManager.setFocused(undefined);
  };
  for (const input of inputs) target.addEventListener(input, use, { capture: true, passive: true });
  setInterval(() => {
    const now = Date.now();
    if (now - usedAt < restAfterMs) return;
    if (!isResting) lookedAt = now;
    else if (now - lookedAt >= lookEveryMs) {
      lookedAt = now;
      // Counts as a return to the page, which reads what is out of date once.
      focusManager.setFocused(undefined);
    }
    isResting = true;
    focusManager.setFocused(false);
  }, checkMs);
}
