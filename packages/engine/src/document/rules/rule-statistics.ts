import { charge } from '../../base/budget.ts';
import { foldText } from '../../base/compare.ts';
import { blankTag, errorTag, numberTag, textTag } from '../../store/chunk.ts';
import type { RangeObject } from '../objects/range-objects.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';

/**
 * Statistics over all cells of a conditional format rule. They are cached until a column of the rule's regions changes,
 * and recomputed at the next read.
 */
class RuleStatistics {
  readonly min: number;
  readonly max: number;
  readonly count: number;
  readonly sum: number;
  readonly #sub: SubSheet;
  readonly #rule: RangeObject;
  /** The numbers in the rule's regions. `nth` partially orders them; `occurrences` sorts them completely. */
  #all: Float64Array | undefined;
  #isSorted = false;
  /**
   * Numbers by their position in ascending order, as returned by `nth`. They are cached, because reads of different
   * parts of the sub-sheet need the same positions.
   */
  readonly #places = new Map<number, number>();
  #counts: Map<string, number> | undefined;

  constructor(sub: SubSheet, rule: RangeObject) {
    this.#sub = sub;
    this.#rule = rule;
    let min = Infinity;
    let max = -Infinity;
    let sum = 0;
    let count = 0;
    eachCell(sub, rule, (tag, num) => {
      if (tag !== numberTag) return;
      if (num < min) min = num;
      if (num > max) max = num;
      sum += num;
      count++;
    });
    this.min = min;
    this.max = max;
    this.sum = sum;
    this.count = count;
  }

  get mean(): number {
    return this.sum / this.count;
  }

  /** Sample standard deviation. */
  get deviation(): number {
    const { mean } = this;
    let squares = 0;
    eachCell(this.#sub, this.#rule, (tag, num) => {
      if (tag === numberTag) squares += (num - mean) ** 2;
    });
    return this.count < 2 ? 0 : Math.sqrt(squares / (this.count - 1));
  }

  /** Returns the number at a zero-based position in ascending order. */
  nth(place: number): number {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const list = this.#numbers();
    if (this.#isSorted) return list[place] as number;
    charge(list.length * 2);
    const number = selected(list, place);
    if (this.#places.size === maxPlaces) this.#places.clear();
    this.#places.set(place, number);
    return number;
  }

  /** Returns the percentile (0 to 100), interpolated between the two nearest numbers like PERCENTILE.INC. */
  percentile(percent: number): number {
    if (this.count === 0) return NaN;
    const at = (Math.min(100, Math.max(0, percent)) / 100) * (this.count - 1);
    const below = Math.floor(at);
    const low = this.nth(below);
    return at === below ? low : low + (this.nth(below + 1) - low) * (at - below);
  }

  #numbers(): Float64Array {
    if (this.#all) return this.#all;
    const all = new Float64Array(this.count);
    let at = 0;
    eachCell(this.#sub, this.#rule, (tag, num) => {
      if (tag === numberTag) all[at++] = num;
    });
    this.#all = all;
    return all;
  }

  /** Returns how often a value occurs in the rule's cells; text is compared case-insensitively. */
  occurrences(value: string | number | boolean): number {
    if (typeof value === 'number') {
      const list = this.#sorted();
      return firstNot(list, (one) => one <= value) - firstNot(list, (one) => one < value);
    }
    this.#counts ??= this.#countTexts();
    return this.#counts.get(typeof value === 'string' ? foldText(value) : `\u0000${value ? 1 : 0}`) ?? 0;
  }

  /**
   * Sorts the numbers, so that occurrences can be found by binary search. For a million numbers this takes 8 MB and 0.1
   * s; counting them in a Map would take five times the memory and the time.
   */
  #sorted(): Float64Array {
    const list = this.#numbers();
    if (this.#isSorted) return list;
    charge(list.length * 4);
    list.sort();
    this.#isSorted = true;
    return list;
  }

  #countTexts(): Map<string, number> {
    const counts = new Map<string, number>();
    const { strings } = this.#sub.sheet.cells;
    eachCell(this.#sub, this.#rule, (tag, num) => {
      if (tag === blankTag || tag === errorTag || tag === numberTag) return;
      const key = tag === textTag ? foldText(strings.get(num)) : `\u0000${num}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    return counts;
  }
}

/**
 * Returns the first index at which the test fails, by binary search. The test must pass for all items before that index
 * and fail from there on.
 */
function firstNot(list: Float64Array, test: (value: number) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(list[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Maximum number of cached results of `nth`. A conditional formatting rule needs fewer, unless a formula keeps
 * changing its thresholds.
 */
const maxPlaces = 16;

/** After this many partition rounds the list is sorted instead, which bounds the worst case of quickselect. */
const maxRounds = 48;

/**
 * Quickselect: moves the number of rank `place` to index `place`, with smaller numbers before it and larger ones after
 * it. Returns that number.
 */
function selected(list: Float64Array, place: number): number {
  let low = 0;
  let high = list.length - 1;
  for (let round = 0; low < high; round++) {
    if (round === maxRounds) return list.sort()[place] as number;
    const pivot = middleOf(list[low] as number, list[(low + high) >> 1] as number, list[high] as number);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((list[left] as number) < pivot) left++;
      while ((list[right] as number) > pivot) right--;
      if (left > right) break;
      const moved = list[left] as number;
      list[left++] = list[right] as number;
      list[right--] = moved;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else break;
  }
  return list[place] as number;
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function eachCell(sub: SubSheet, { regions }: RangeObject, visit: (tag: number, num: number) => void): void {
  const { cells } = sub.sheet;
  for (const [top, left, bottom, right] of regions) {
    for (let col = left; col <= Math.min(right, sub.sheet.lastCol); col++) {
      cells.eachPiece(col, top, bottom, (chunk, from, to) => {
        charge((to - from) >> 2);
        for (let i = from; i <= to; i++) visit(chunk.tags[i] as number, chunk.nums[i] as number);
      });
    }
  }
}

const known = new WeakMap<RangeObject, { readonly stamp: string; readonly statistics: RuleStatistics }>();

export function ruleStatisticsOf(sub: SubSheet, rule: RangeObject): RuleStatistics {
  const stamp = stampOf(sub, rule);
  const found = known.get(rule);
  if (found?.stamp === stamp) return found.statistics;
  const statistics = new RuleStatistics(sub, rule);
  known.set(rule, { stamp, statistics });
  return statistics;
}

/** Returns a version stamp that changes whenever a cell in a column of the rule's regions may have changed. */
function stampOf({ sheet }: SubSheet, { regions }: RangeObject): string {
  const { cells } = sheet;
  let sum = 0;
  for (const [, left, , right] of regions)
    for (let col = left; col <= Math.min(right, cells.versions.length - 1); col++) sum += cells.version(col);
  return `${sheet.id}.${cells.epoch}.${sum}`;
}
