import { percentile } from '../measure/report.ts';

/** Times in milliseconds: wall time, and processor time, which other load on the machine affects less. */
export interface Times {
  /** Wall time over all calls. */
  p50: number;
  p95: number;
  /** Processor time over the inputs, each by its fastest call. */
  cpu50: number;
  cpu95: number;
}

/** Time limit that reduces the rounds of slow calls; every input is called at least twice and counted at least once. */
const maxSeconds = 12;

/** Calls all inputs `rounds` times, after one or two rounds that do not count. */
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

/** Calls every input once without warm-up; `before` is not measured. */
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
