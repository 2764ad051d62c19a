/** Alternates two sides that do the same work and estimates the ratio between them. */

/** Processor time of one run in milliseconds, by measurement. */
export type CpuTimes = Record<string, number>;

export interface Side {
  run(): Promise<CpuTimes>;
  stop(): Promise<void>;
}

/** Each round uses fresh processes, because memory layout and compilation order vary between processes. */
export const rounds = 7;
const runsPerRound = 3;

/**
 * Returns the log ratios of ours to theirs, one mean per round. `open` starts both sides; `warmUp` runs of each do not
 * count. The order is A B B A, so that neither side always runs second.
 */
export async function compareInterleaved(
  open: () => Promise<[ours: Side, theirs: Side]>,
  warmUp: number,
): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    const sides = await open();
    const sums: Record<string, number> = {};
    try {
      for (let turn = -warmUp; turn < runsPerRound; turn++) {
        const spent: CpuTimes[] = [];
        for (const side of (round + turn) % 2 === 0 ? [0, 1] : [1, 0]) spent[side] = await sides[side]!.run();
        if (turn < 0) continue;
        for (const [name, ours] of Object.entries(spent[0]!))
          sums[name] = (sums[name] ?? 0) + Math.log(ours / spent[1]![name]!);
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()));
    }
    for (const [name, sum] of Object.entries(sums)) (found[name] ??= []).push(sum / runsPerRound);
  }
  return found;
}

export interface Interval {
  ratio: number;
  low: number;
  high: number;
}

/** Student's t for a two-sided 95 %, by degrees of freedom. */
const quantiles: Record<number, number> = { 6: 2.447 };

/**
 * Returns the ratio with its 95 % confidence interval. Only rounds are independent samples, not the runs within a round.
 */
export function intervalOf(logarithms: readonly number[]): Interval {
  const count = logarithms.length;
  const mean = logarithms.reduce((sum, one) => sum + one, 0) / count;
  const variance = logarithms.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1);
  const half = quantiles[count - 1]! * Math.sqrt(variance / count);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

export function formatInterval({ ratio, low, high }: Interval): string {
  const verdict = low > 1 ? 'SLOWER' : high < 1 ? 'faster' : 'no difference seen';
  return `${ratio.toFixed(3)}  (${low.toFixed(3)} to ${high.toFixed(3)})  ${verdict}`;
}
