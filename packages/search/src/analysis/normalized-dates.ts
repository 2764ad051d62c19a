/** This file finds dates in common notations and normalizes them: 18.11.2026 and Nov 18, 2026 both become 20261118. */

export interface NormalizedDate {
  /** The date as eight digits (year, month, day); two dates if month and day cannot be distinguished. */
  normal: string[];
  from: number;
  to: number;
}

const year = /(?<!\d)[12]\d{3}(?!\d)/g;
/** Matches the rest of a date after its year: 2026-11-18, 2026/11/18, 2026.11.18, 2026年11月18日 or 2026년 11월 18일. */
const yearFirst =
  /^(?:([-/.])(?<m>\d{1,2})\1(?<d>\d{1,2})|\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日号號일]?)(?!\d)/u;
/** Matches the part before the year in 18.11.2026, 18/11/2026 or 11/18/2026. */
const numbersFirst = /(?<![\d./-])(\d{1,2})([-/.])(\d{1,2})\2$/;
/** Matches the part before the year in 18 November 2026 or 18th of Nov. 2026. */
const dayFirst = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})\.?,? $/i;
/** Matches the part before the year in November 18, 2026. */
const monthFirst = /(?<![a-z])([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? $/i;
const before = 28;
const after = 16;
const months = 'january february march april may june july august september october november december'.split(' ');

export function findNormalizedDates(text: string): NormalizedDate[] {
  const found: NormalizedDate[] = [];
  for (const match of text.matchAll(year)) {
    const at = match.index;
    const last = found.at(-1);
    if (last && at < last.to) continue;
    const end = at + match[0].length;
    const next = yearFirst.exec(text.slice(end, end + after));
    if (next?.groups) {
      const { m, d, month = m, day = d } = next.groups;
      add(found, [dateOf(match[0], month, day)], at, end + next[0].length);
      continue;
    }
    const lead = text.slice(Math.max(last?.to ?? 0, at - before), at);
    const numbers = numbersFirst.exec(lead);
    if (numbers) {
      const [whole, one, sign, other] = numbers;
      const both = [dateOf(match[0], other, one), sign === '.' ? undefined : dateOf(match[0], one, other)];
      add(found, both, at - whole.length, end);
      continue;
    }
    const named = dayFirst.exec(lead);
    const [whole, day, month] = named ?? swapped(monthFirst.exec(lead)) ?? [];
    if (whole !== undefined) add(found, [dateOf(match[0], monthNumber(month), day)], at - whole.length, end);
  }
  return found;
}

function swapped(match: RegExpExecArray | null): string[] | undefined {
  return match ? [match[0], match[2]!, match[1]!] : undefined;
}

function add(found: NormalizedDate[], dates: readonly (string | undefined)[], from: number, to: number): void {
  const normal = [...new Set(dates.filter((date) => date !== undefined))];
  if (normal.length > 0) found.push({ normal, from, to });
}

function monthNumber(name = ''): string | undefined {
  const at = months.findIndex((month) => month.startsWith(name.toLowerCase()));
  return at < 0 ? undefined : String(at + 1);
}

function dateOf(years: string, month = '0', day = '0'): string | undefined {
  const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isDate ? years + month.padStart(2, '0') + day.padStart(2, '0') : undefined;
}
