/** Others first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Does all steps now. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same with turns for others after each step. */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

/** Maps so many values before others get their turn. */
export async function mapInTurns<Value, Result>(
  values: readonly Value[],
  most: number,
  map: (value: Value) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const value of values) if (results.push(map(value)) % most === 0) await nextTurn();
  return results;
}
