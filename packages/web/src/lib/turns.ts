/** Does one step after the other, each in a turn of its own: between them the browser can answer a finger. Answers how to undo them. */
export function inTurns(steps: readonly (() => () => void)[]): () => void {
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
