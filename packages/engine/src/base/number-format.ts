import { format as formatPattern, formatColor, isDateFormat } from 'numfmt';
import { adaptFormat } from './excel-format-code.ts';
import { BudgetExceeded, charge } from './budget.ts';
import { toText } from './coerce.ts';
import { hanDigits } from './han-digits.ts';
import { CellError, cellErrors, type Scalar } from './values.ts';

/** Excel's maximum length of a format code; longer codes are invalid. */
const maxPattern = 255;

/**
 * Shown for values that cannot be formatted: dates outside 1900 to 9999, or values that no section of the format code
 * accepts.
 */
const overflowText = '########';

const settings = {
  dateErrorThrows: true,
  dateErrorNumber: false,
  dateSpanLarge: false,
  leap1900: true,
  overflow: overflowText,
  nbsp: false,
  throws: true,
} as const;

/**
 * Formats a value by a number format code, like an English Excel with the 1900 date system. An invalid code falls back
 * to General.
 */
export function format(value: Scalar, pattern: string): string {
  if (value === null) return '';
  if (value instanceof CellError) return value.text;
  const code = pattern === '' ? 'General' : pattern;
  const shown = formatted(value, code);
  if (shown !== undefined) return shown;
  return isValidPattern(code) ? overflowText : (formatted(value, 'General') ?? overflowText);
}

const namedColors: Readonly<Record<string, string>> = {
  black: '000000',
  blue: '0000FF',
  cyan: '00FFFF',
  green: '00FF00',
  magenta: 'FF00FF',
  red: 'FF0000',
  white: 'FFFFFF',
  yellow: 'FFFF00',
};

/** Returns the color that a format code such as `[Red]-0` gives to a value, as RRGGBB; undefined if it gives none. */
export function colorInFormat(value: Scalar, pattern: string): string | undefined {
  if (pattern.length > maxPattern || !pattern.includes('[') || value === null || value instanceof CellError)
    return undefined;
  try {
    const color = String(formatColor(pattern, value) ?? '').toLowerCase();
    return namedColors[color] ?? (/^#[0-9a-f]{6}$/.test(color) ? color.slice(1).toUpperCase() : undefined);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Implements TEXT: formats a value. Returns #VALUE! if it cannot be formatted, and empty text for an empty code. */
export function textInFormat(value: Scalar, pattern: string): string | CellError {
  if (value instanceof CellError) return value;
  if (pattern === '') return '';
  const shown = formatted(value ?? 0, pattern);
  return shown === undefined || shown === overflowText ? cellErrors.value : shown;
}

/** Returns whether the format code shows a date or a time of day. */
export function isDatePattern(pattern: string): boolean {
  if (pattern.length > maxPattern) return false;
  charge(8);
  try {
    return isDateFormat(pattern);
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

export function isValidPattern(pattern: string): boolean {
  return formatted(1, pattern) !== undefined;
}

/** Formats a value with a number format code. Returns undefined if the code is invalid or cannot format the value. */
function formatted(value: number | string | boolean, pattern: string): string | undefined {
  if ((typeof value === 'number' && !Number.isFinite(value)) || pattern.length > maxPattern) return undefined;
  charge(8 + pattern.length);
  const han = typeof value === 'number' ? hanNumber.exec(pattern) : null;
  if (han && typeof value === 'number') return inHanNumbers(value, Number(han[1]), pattern);
  try {
    if (typeof value !== 'number')
      return formatPattern(
        ownSeparators(pattern),
        typeof value === 'boolean' ? String(toText(value)) : value,
        settings,
      );
    const adapted = adaptFormat(value, pattern);
    return adapted.finish(formatPattern(ownSeparators(adapted.pattern), adapted.value, settings));
  } catch (error) {
    if (error instanceof Error && !(error instanceof BudgetExceeded)) return undefined;
    throw error;
  }
}

/**
 * Removes the locale from `[$symbol-locale]` in codes that are not dates. Excel uses the locale only for month and day
 * names; the formatting library would also use the locale's number separators.
 */
function ownSeparators(pattern: string): string {
  if (!pattern.includes('[$') || isDatePattern(pattern)) return pattern;
  return pattern.replace(/\[\$([^\]-]*)-[^\]]*\]/g, (_, symbol: string) => (symbol === '' ? '' : `[$${symbol}]`));
}

const hanNumber = /\[DBNum([123])\]/i;

function inHanNumbers(value: number, style: number, pattern: string): string | undefined {
  const rest = pattern.replace(/\[DBNum[123]\]/gi, '').replace(/\[\$-[^\]]*\]/g, '');
  const general = /^general/i.test(rest.split(';')[0] ?? '');
  const shown = formatted(value, rest === '' ? 'General' : rest);
  return shown === undefined ? undefined : hanDigits(shown, style, general);
}
