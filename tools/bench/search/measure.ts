import { percentile } from '../report.ts';

/** Milliseconds: by the clock, and of the processor, which neighbors on the machine disturb less. */
export interface Times {
  /** Of all calls. */
  p50: number;
  p95: number;
  /** Of the inputs, each by the quickest of its calls: what a call costs where nothing gets in its way. */
  cpu50: number;
  cpu95: number;
}

/** Where a call takes seconds, fewer rounds do; every input is called at least twice, and once counted. */
const maxSeconds = 12;

/** Over all inputs in turn, as often as `rounds` says, after a round or two that are not counted. */
export async function timed<Input>(
  inputs: readonly Input[],
  rounds: number,
  call: (input: Input) => unknown,
): Promise<Times> {
  const start = performance.now();
  const isLate = (): boolean => performance.now() - start > maxSeconds * 1000;
  for (let round = 0; round < 2 && !isLate(); round++) for (const input of inputs) await call(input);
  const times: number[] = [];
  const quickest = inputs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds && (round === 0 || !isLate()); round++) {
    for (const [i, input] of inputs.entries()) {
      const before = process.cpuUsage();
      const called = performance.now();
      await call(input);
      times.push(performance.now() - called);
      const used = process.cpuUsage(before);
      quickest[i] = Math.min(quickest[i] ?? 0, (used.user + used.system) / 1000);
    }
  }
  return {
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    cpu50: percentile(quickest, 50),
    cpu95: percentile(quickest, 95),
  };
}

/** Every input once, without a round before; what `before` does is not counted. */
export async function onceEach<Input>(
  inputs: readonly Input[],
  call: (input: Input) => unknown,
  { before: prepare }: { before?: (input: Input) => Promise<void> } = {},
): Promise<Times> {
  const times: number[] = [];
  const cpu: number[] = [];
  for (const input of inputs) {
    await prepare?.(input);
    const before = process.cpuUsage();
    const called = performance.now();
    await call(input);
    times.push(performance.now() - called);
    const used = process.cpuUsage(before);
    cpu.push((used.user + used.system) / 1000);
  }
  return {
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    cpu50: percentile(cpu, 50),
    cpu95: percentile(cpu, 95),
  };
}

export function residentMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}
