export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs all steps of a generator without yielding to the event loop. */
export function runWithoutYielding<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs all steps of a generator and yields to the event loop after each. */
export async function runYielding<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToEventLoop();
  }
}

/** Maps values and yields to the event loop after every `most` of them. */
export async function mapYielding<Value, Result>(
  values: readonly Value[],
  most: number,
  map: (value: Value) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const value of values) if (results.push(map(value)) % most === 0) await yieldToEventLoop();
  return results;
}
