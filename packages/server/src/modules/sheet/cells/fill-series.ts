import type { Constant } from '@sheaf/engine/internal/document';

/** Lists of names that auto-fill continues cyclically. For example, Jan follows Dec. */
const nameCycles: readonly (readonly string[])[] = [
  'Mon Tue Wed Thu Fri Sat Sun',
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday',
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  'January February March April May June July August September October November December',
  'Q1 Q2 Q3 Q4',
  '周一 周二 周三 周四 周五 周六 周日',
  '星期一 星期二 星期三 星期四 星期五 星期六 星期日',
  '一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月',
].map((names) => names.split(' '));

/**
 * Function that returns the value of a series at an index. Index 0 is the first of the values from which the series was
 * detected; negative indexes come before it.
 */
export type FillSeries = (place: number) => Constant;

/**
 * Detects a series in a list of values. Numbers continue in equal steps, texts that end in a number continue with that
 * number in equal steps, and names of days, months and quarters cycle. A single number is a series only if it is a
 * date. Returns undefined if there is no series; the caller then repeats the values.
 */
export function detectSeries(values: readonly Constant[], isDate: boolean): FillSeries | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'number')) {
    if (values.length === 1 && !isDate) return undefined;
    return numberSeries(values as number[]);
  }
  if (!values.every((value) => typeof value === 'string')) return undefined;
  return nameSeries(values as string[]) ?? countedTextSeries(values as string[]);
}

function numberSeries(values: readonly number[]): FillSeries {
  const step = values.length === 1 ? 1 : slope(values);
  const start = values.length === 1 ? values[0]! : mean(values) - (step * (values.length - 1)) / 2;
  return (place) => Number((start + step * place).toPrecision(15));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns the slope of the least-squares line through the values, at the positions 0, 1, 2 and so on. For values in
 * equal steps, this is the step.
 */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const average = mean(values);
  let above = 0;
  let below = 0;
  values.forEach((value, i) => {
    above += (i - middle) * (value - average);
    below += (i - middle) ** 2;
  });
  return above / below;
}

function nameSeries(values: readonly string[]): FillSeries | undefined {
  for (const circle of nameCycles) {
    const places = values.map((value) => circle.findIndex((name) => name.toLowerCase() === value.toLowerCase()));
    if (places.includes(-1)) continue;
    const step = places.length === 1 ? 1 : (places[1]! - places[0]! + circle.length) % circle.length;
    if (!places.every((place, i) => place === (places[0]! + step * i) % circle.length)) continue;
    const upper = values[0] === values[0]!.toUpperCase();
    return (place) => {
      const name = circle.at((places[0]! + step * place) % circle.length)!;
      return upper ? name.toUpperCase() : name;
    };
  }
  return undefined;
}

const ending = /^(.*?)(\d{1,15})$/s;

function countedTextSeries(values: readonly string[]): FillSeries | undefined {
  const parts = values.map((value) => ending.exec(value));
  const head = parts[0]?.[1];
  if (head === undefined || !parts.every((part) => part?.[1] === head)) return undefined;
  const ends = parts.map((part) => Number(part![2]));
  const width = parts[0]![2]!.startsWith('0') ? parts[0]![2]!.length : 0;
  const step = ends.length === 1 ? 1 : ends[1]! - ends[0]!;
  if (!ends.every((end, i) => end === ends[0]! + step * i)) return undefined;
  return (place) => `${head}${String(Math.abs(ends[0]! + step * place)).padStart(width, '0')}`;
}
