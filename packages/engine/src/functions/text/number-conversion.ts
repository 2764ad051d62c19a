import { parseDate } from '../../base/parse-date.ts';
import { parseNumber } from '../../base/parse-number.ts';
import { format, textInFormat } from '../../base/number-format.ts';
import { CellError, cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { bahtText } from './baht-text.ts';
import { checkTextLength } from './text-length-limit.ts';

/** Maximum number of decimals of FIXED and DOLLAR. */
const maxDecimals = 127;

function decimalsOf(decimals: number | undefined): number {
  const places = decimals === undefined ? 2 : Math.trunc(decimals);
  if (places > maxDecimals) throw cellErrors.value;
  return places;
}

/** Rounds to a multiple of 10^places; ties are rounded away from zero. */
function roundLeft(value: number, places: number): number {
  const unit = 10 ** places;
  return Number.isFinite(unit) ? Math.sign(value) * Math.round(Math.abs(value) / unit) * unit : 0;
}

/**
 * Formats a number with fixed decimals, preceded by the prefix `positive` or `negative`. A number that rounds to zero
 * gets the prefix `positive`.
 */
function fixed(
  value: number,
  decimals: number | undefined,
  commas: boolean,
  positive: string,
  negative: string,
): string {
  const places = decimalsOf(decimals);
  const rounded = places < 0 ? roundLeft(value, -places) : value;
  const pattern = (commas ? '#,##0' : '0') + (places > 0 ? `.${'0'.repeat(places)}` : '');
  const digits = format(Math.abs(rounded), pattern);
  const prefix = value < 0 && /[1-9]/.test(digits) ? negative : positive;
  return checkTextLength(prefix + digits);
}

function valueOf(value: string | number | boolean | null): number | CellError {
  if (typeof value === 'number') return value;
  if (value === null) return 0;
  if (typeof value === 'boolean') return cellErrors.value;
  return parseDate(value.trim()) ?? parseNumber(value) ?? cellErrors.value;
}

function numberValue(text: string, decimal: string, group: string): number | CellError {
  const point = decimal[0];
  const comma = group[0];
  if (point === undefined || comma === undefined) return cellErrors.value;
  let rest = text.replace(/\s/g, '');
  if (rest === '') return 0;
  let scale = 1;
  while (rest.endsWith('%')) {
    rest = rest.slice(0, -1);
    scale *= 100;
  }
  const [whole = '', fraction, more] = rest.split(point);
  if (more !== undefined || (fraction !== undefined && comma !== point && fraction.includes(comma)))
    return cellErrors.value;
  const plain = whole.replaceAll(comma, '') + (fraction === undefined ? '' : `.${fraction}`);
  const number = parseNumber(plain);
  return number === undefined ? cellErrors.value : number / scale;
}

export const numberTextFunctions: readonly Definition[] = [
  define('TEXT', 'scalar text', (_call, value, pattern) => {
    if (pattern.length > 255) return cellErrors.value;
    const read = typeof value === 'string' ? (parseNumber(value) ?? value) : value;
    const shown = textInFormat(read, pattern);
    return shown instanceof CellError ? shown : checkTextLength(shown);
  }),
  define('VALUE', 'scalar', (_call, value) => valueOf(value)),
  define('NUMBERVALUE', 'text text? text?', (_call, text, decimal, group) =>
    numberValue(text, decimal ?? '.', group ?? ','),
  ),
  define('FIXED', 'number number? logical?', (_call, value, decimals, noCommas) =>
    fixed(value, decimals, noCommas !== true, '', '-'),
  ),
  define('DOLLAR', 'number number?', (_call, value, decimals) => fixed(value, decimals, true, '$', '-$'), {
    aliases: ['USDOLLAR'],
  }),
  define('RMB', 'number number?', (_call, value, decimals) => fixed(value, decimals, true, '¥', '¥-'), {
    aliases: ['YEN'],
  }),
  define('BAHTTEXT', 'number', (_call, value) => bahtText(value)),
];
