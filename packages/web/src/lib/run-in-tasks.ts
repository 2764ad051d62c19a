/**
 * Runs each step in a separate task of the event loop, so that the browser can handle input between steps. Each step
 * returns a function that undoes it. The returned function skips the remaining steps and undoes those already run.
 */
export function runInTasks(steps: readonly (() => () => void)[]): () => void {
  const undo: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (): void => {
    const step = steps[undo.length];
    if (!step) return;
    undo.push(step());
    timer = setTimeout(next);
  };
  next();
  return () => {
    clearTimeout(timer);
    undo.forEach((one) => one());
  };
}
