import { percentile } from '../report.ts';

/** Milliseconds: by the clock, and of the processor, which neighbours on the machine disturb less. */
export interface Times {
  p50: number;
  p95: number;
  cpu50: number;
  cpu95: number;
}

/** Of each call, over all inputs in turn, after a first round that is not counted. */
export async function timed<Input>(inputs: readonly Input[], rounds: number, call: (input: Input) => unknown): Promise<Times> {
  for (const input of inputs) await call(input);
  const times: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const input of inputs) {
      const before = process.cpuUsage();
      const start = performance.now();
      await call(input);
      times.push(performance.now() - start);
      const used = process.cpuUsage(before);
      cpu.push((used.user + used.system) / 1000);
    }
  }
  return { p50: percentile(times, 50), p95: percentile(times, 95), cpu50: percentile(cpu, 50), cpu95: percentile(cpu, 95) };
}

export function residentMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}
