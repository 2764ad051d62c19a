import { percentile } from '../report.ts';

export interface Times {
  p50: number;
  p95: number;
}

/** Milliseconds of each call, over all inputs in turn, after a first round that is not counted. */
export async function timed<Input>(inputs: readonly Input[], rounds: number, call: (input: Input) => unknown): Promise<Times> {
  for (const input of inputs) await call(input);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const input of inputs) {
      const start = performance.now();
      await call(input);
      times.push(performance.now() - start);
    }
  }
  return { p50: percentile(times, 50), p95: percentile(times, 95) };
}

export function residentMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}
