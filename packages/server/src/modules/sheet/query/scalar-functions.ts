import { chargeText } from '@sheaf/engine/internal/document';
import { charge, readInput, shownText } from '@sheaf/engine';
import { concatenateValues, maxResultText } from './concatenate-values.ts';
import { toNumber, toText, toBoolean, type QueryValue } from './query-value.ts';

interface ScalarFunction {
  readonly least: number;
  readonly most: number;
  apply(args: readonly QueryValue[]): QueryValue;
}

function chargeLength(text: string): string {
  chargeText(text.length);
  return text;
}

const surrogates = /[\ud800-\udfff]/;

/** Returns a substring, counted in code points. Texts without surrogate pairs use a fast path. */
function sliceCodePoints(text: string, from: number, to?: number): string {
  if (!surrogates.test(text)) return text.slice(from, to);
  charge(2 * text.length);
  return [...text].slice(from, to).join('');
}

function countCodePoints(text: string): number {
  if (!surrogates.test(text)) return text.length;
  charge(2 * text.length);
  return [...text].length;
}

/** Replaces all occurrences of `from`. Stops at the maximum cell length, so that the text cannot grow without limit. */
function replaced(text: string, from: string, to: string): string {
  charge(text.length);
  if (from === '') return text;
  const most = to === '' ? undefined : Math.ceil(maxResultText / to.length) + 1;
  const made = text.split(from, most).join(to);
  chargeText(made.length);
  return made.slice(0, maxResultText);
}

/**
 * Creates a query function with `least` to `most` arguments. The first is converted to a text and the others to
 * numbers. The function returns null if the first argument is null or missing.
 */
function onText(apply: (text: string, ...more: number[]) => QueryValue, most = 1, least = 1): ScalarFunction {
  return {
    least,
    most,
    apply: ([first, ...more]) =>
      first === null || first === undefined
        ? null
        : apply(chargeLength(toText(first)).slice(0, maxResultText), ...more.map((one) => toNumber(one) ?? 0)),
  };
}

function onNumber(apply: (value: number, other: number | undefined) => number, most = 1, least = 1): ScalarFunction {
  return {
    least,
    most,
    apply: ([first = null, second]) => {
      const value = toNumber(first);
      const other = second === undefined ? undefined : (toNumber(second) ?? undefined);
      if (value === null || (second !== undefined && other === undefined)) return null;
      const result = apply(value, other);
      return Number.isFinite(result) ? result : null;
    },
  };
}

/**
 * Creates a query function of a date, such as the month. The function formats the serial date with `pattern`, converts
 * the result to a number and passes it to `apply`.
 */
function onDate(pattern: string, apply: (shown: number) => number = (one) => one): ScalarFunction {
  return onNumber((serial) => apply(Number(shownText(Math.floor(serial), pattern))));
}

function rounded(value: number, digits = 0): number {
  const factor = 10 ** Math.max(-300, Math.min(300, Math.trunc(digits)));
  const scaled = Math.abs(value) * factor;
  return (Math.sign(value) * Math.round(scaled + scaled * Number.EPSILON)) / factor;
}

const substr = onText(
  (text, start = 1, length = text.length) => {
    const from = start < 0 ? Math.max(0, countCodePoints(text) + start) : Math.max(0, start - 1);
    return sliceCodePoints(text, from, from + Math.max(0, length));
  },
  3,
  2,
);

const coalesce: ScalarFunction = {
  least: 1,
  most: 20,
  apply: (args) => args.find((one) => one !== null && one !== '') ?? null,
};

const iif: ScalarFunction = {
  least: 2,
  most: 3,
  apply: ([condition = null, then = null, otherwise = null]) => (toBoolean(condition) === true ? then : otherwise),
};

const day = onDate('d');

export const scalarFunctions: Readonly<Record<string, ScalarFunction>> = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  length: onText(countCodePoints),
  len: onText(countCodePoints),
  trim: onText((text) => text.trim()),
  substr,
  substring: substr,
  mid: substr,
  left: onText((text, count = 1) => sliceCodePoints(text, 0, Math.max(0, count)), 2),
  right: onText((text, count = 1) => (count <= 0 ? '' : sliceCodePoints(text, -count)), 2),
  instr: {
    least: 2,
    most: 2,
    apply: ([text = null, part = null]) =>
      text === null || part === null
        ? null
        : chargeLength(toText(text))
            .toLowerCase()
            .indexOf(chargeLength(toText(part)).toLowerCase()) + 1,
  },
  replace: {
    least: 3,
    most: 3,
    apply: ([text = null, from = null, to = null]) =>
      text === null || from === null || to === null ? null : replaced(toText(text), toText(from), toText(to)),
  },
  concat: { least: 1, most: 50, apply: (args) => concatenateValues(args, '') },
  abs: onNumber(Math.abs),
  sqrt: onNumber(Math.sqrt),
  floor: onNumber(Math.floor),
  ceil: onNumber(Math.ceil),
  ceiling: onNumber(Math.ceil),
  round: onNumber((value, digits) => rounded(value, digits), 2),
  power: onNumber((value, other = 1) => value ** other, 2, 2),
  mod: onNumber((value, other = 0) => value % other, 2, 2),
  coalesce,
  ifnull: coalesce,
  nullif: {
    least: 2,
    most: 2,
    apply: ([one = null, other = null]) => (one === other ? null : one),
  },
  iif,
  if: iif,
  year: onDate('yyyy'),
  month: onDate('m'),
  day,
  quarter: onDate('m', (month) => Math.ceil(month / 3)),
  weekday: onNumber((serial) => ((Math.floor(serial) + 6) % 7) + 1),
  date: onText((text) => {
    const input = readInput(text);
    return 'value' in input && typeof input.value === 'number' ? Math.floor(input.value) : null;
  }),
  cast: {
    least: 2,
    most: 2,
    apply: ([value = null, type = null]) => {
      if (value === null) return null;
      if (/^(text|string|varchar|char)/.test(String(type))) return toText(value);
      const number = toNumber(value);
      return number !== null && String(type).startsWith('int') ? Math.trunc(number) : number;
    },
  },
};
