/** Runs something when there is nothing better to do. Answers how not to. Safari has no such question: there it is soon. */
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
