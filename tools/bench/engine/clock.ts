/** Measures the processor time of all threads while `work` runs, in milliseconds. */
export async function measureCpu(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  const pending = work();
  if (pending) await pending;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Measures wall time, for work too short for the processor time counter. */
export async function measureWall(work: () => void | Promise<void>): Promise<number> {
  const before = performance.now();
  const pending = work();
  if (pending) await pending;
  return performance.now() - before;
}

/** Returns the bytes in use after garbage collection: the heap, array buffers and wasm memory. */
export function usedBytes(): number {
  if (!globalThis.gc) throw new Error('memory is measured with --expose-gc');
  for (let i = 0; i < 3; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}
