import type { ConditionalFormat } from '../objects/range-objects.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import type { RuleFormulas } from './rule-formulas.ts';
import { ruleStatisticsOf } from './rule-statistics.ts';

const white = 'FFFFFFFF';
const whiteParts = [255, 255, 255, 255];

/** The thresholds of a color scale, data bar or icon set, computed from the numbers in the regions of the rule. */
export class Thresholds {
  readonly #limits: readonly number[];
  readonly #colors: readonly (readonly number[])[];
  readonly #above: readonly boolean[];
  readonly isEmpty: boolean;

  constructor(limits: readonly number[], colors: readonly string[], above: readonly boolean[]) {
    this.#limits = limits;
    this.#colors = colors.map(partsOf);
    this.#above = above;
    this.isEmpty = limits.length === 0 || limits.some(Number.isNaN);
  }

  /** Returns the color of a color scale for a number, as an integer; `colorOfCode` converts the integer to text. */
  colorCode(value: number): number {
    const limits = this.#limits;
    let at = 0;
    while (at < limits.length - 2 && value > (limits[at + 1] as number)) at++;
    const low = limits[at] as number;
    const high = limits[at + 1] ?? low;
    const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : value > low ? 1 : 0;
    return mixed(this.#colors[at] ?? whiteParts, this.#colors[at + 1] ?? whiteParts, share);
  }

  share(value: number): number {
    const low = this.#limits[0] as number;
    const high = this.#limits.at(-1) as number;
    if (high <= low) return value >= high ? 1 : 0;
    return Math.round(Math.min(1, Math.max(0, (value - low) / (high - low))) * 10_000) / 10_000;
  }

  index(value: number, isReversed: boolean): number {
    let at = 0;
    for (let i = 1; i < this.#limits.length; i++) {
      const limit = this.#limits[i] as number;
      if (this.#above[i] ? value > limit : value >= limit) at = i;
    }
    return isReversed ? this.#limits.length - 1 - at : at;
  }
}

export function thresholdsOf(sub: SubSheet, rule: ConditionalFormat, formulas: RuleFormulas): Thresholds {
  const steps = rule.steps ?? [];
  const statistics = ruleStatisticsOf(sub, rule);
  if (statistics.count === 0) return new Thresholds([], [], []);
  const [row = 0, col = 0] = rule.regions[0] ?? [];
  const valueOf = (index: number): number => {
    const value = formulas.at(rule, index, row, col);
    return typeof value === 'number' ? value : NaN;
  };
  const limits = steps.map(({ type }, index) => {
    switch (type) {
      case 'min':
        return statistics.min;
      case 'max':
        return statistics.max;
      case 'percent':
        return statistics.min + ((statistics.max - statistics.min) * valueOf(index)) / 100;
      case 'percentile':
        return statistics.percentile(valueOf(index));
      default:
        return valueOf(index);
    }
  });
  return new Thresholds(
    limits,
    steps.map(({ color }) => color ?? white),
    steps.map(({ above }) => above === true),
  );
}

/** Parses AARRGGBB into its four components, 0 to 255. */
function partsOf(color: string): number[] {
  return [0, 2, 4, 6].map((at) => Number.parseInt(color.slice(at, at + 2), 16) || 0);
}

function mixed(from: readonly number[], to: readonly number[], share: number): number {
  return (
    (part(from[0] as number, to[0] as number, share) << 24) |
    (part(from[1] as number, to[1] as number, share) << 16) |
    (part(from[2] as number, to[2] as number, share) << 8) |
    part(from[3] as number, to[3] as number, share)
  );
}

function part(from: number, to: number, share: number): number {
  return Math.trunc(from + (to - from) * share + 0.5);
}

/** Converts an integer color to AARRGGBB. */
export function colorOfCode(code: number): string {
  return (code >>> 0).toString(16).padStart(8, '0').toUpperCase();
}
