/**
 * Runs each step in a separate task, so that the browser can handle input between steps. Returns a function that stops
 * and undoes the steps already run.
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
