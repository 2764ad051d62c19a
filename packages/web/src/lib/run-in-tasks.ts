/**
 * Runs each step in its own task, so that the browser can handle input between steps. The returned function stops and
 * undoes the steps already run.
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
