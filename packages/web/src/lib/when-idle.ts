/**
 * Runs a callback when the browser is idle. Returns a function that cancels it. Safari has no requestIdleCallback, so a
 * short timer is used there.
 */
export function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const asked = requestIdleCallback(run, { timeout: maxMs });
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(run, soonMs);
  return () => clearTimeout(timer);
}

const maxMs = 2000;
const soonMs = 200;
