/**
 * Runs a callback when the browser is idle. Returns a function that cancels the callback. Safari has no
 * requestIdleCallback, so it gets a short timer instead.
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
