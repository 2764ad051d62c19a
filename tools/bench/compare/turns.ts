/** Two who do the same work by turns, and what the difference between them is worth. */

/** Processor time of one turn, in milliseconds, for each thing that it measured. */
export type Spent = Record<string, number>;

export interface Side {
  turn(): Promise<Spent>;
  stop(): Promise<void>;
}

/** Fresh processes each time: where a process happens to lie in memory, and what it compiled first, is a matter of luck too. */
export const rounds = 7;
const turnsInRound = 3;

/**
 * The ratios of ours to theirs, round by round: of each round the mean of its turns' logarithms. `open` starts both sides
 * anew; `warmUp` turns of each do not count. They take turns A B B A, so that neither always follows the other.
 */
export async function compare(
  open: () => Promise<[ours: Side, theirs: Side]>,
  warmUp: number,
): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    const sides = await open();
    const sums: Record<string, number> = {};
    try {
      for (let turn = -warmUp; turn < turnsInRound; turn++) {
        const spent: Spent[] = [];
        for (const side of (round + turn) % 2 === 0 ? [0, 1] : [1, 0]) spent[side] = await sides[side]!.turn();
        if (turn < 0) continue;
        for (const [name, ours] of Object.entries(spent[0]!))
          sums[name] = (sums[name] ?? 0) + Math.log(ours / spent[1]![name]!);
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()));
    }
    for (const [name, sum] of Object.entries(sums)) (found[name] ??= []).push(sum / turnsInRound);
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

/** The ratio and its 95 % confidence interval. Rounds are what is independent; turns within one are not. */
export function intervalOf(logarithms: readonly number[]): Interval {
  const count = logarithms.length;
  const mean = logarithms.reduce((sum, one) => sum + one, 0) / count;
  const variance = logarithms.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1);
  const half = quantiles[count - 1]! * Math.sqrt(variance / count);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

export function told({ ratio, low, high }: Interval): string {
  const verdict = low > 1 ? 'SLOWER' : high < 1 ? 'faster' : 'no difference seen';
  return `${ratio.toFixed(3)}  (${low.toFixed(3)} to ${high.toFixed(3)})  ${verdict}`;
}
