import { focusManager } from '@tanstack/react-query';

/** Time in milliseconds without user input after which a page stops polling. Server events are still received. */
export const pauseAfterMs = 5 * 60_000;
/** Interval in milliseconds at which an unused page refetches stale data, in case it missed events. */
export const refetchIntervalMs = 15 * 60_000;
const checkMs = 60_000;
const inputs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus'] as const;

/**
 * Stops the polling of queries while nobody uses the page, so that an open but unused page causes little server load.
 * The next user input resumes polling and refetches stale data, as when the window gets the focus.
 */
export function pausePollingWhenUnused(target: Pick<EventTarget, 'addEventListener'> = window): void {
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
    if (now - usedAt < pauseAfterMs) return;
    if (!isResting) lookedAt = now;
    else if (now - lookedAt >= refetchIntervalMs) {
      lookedAt = now;
      // Report the window as focused to the query library, unless the page is hidden. This refetches stale data once.
      focusManager.setFocused(undefined);
    }
    isResting = true;
    focusManager.setFocused(false);
  }, checkMs);
}
