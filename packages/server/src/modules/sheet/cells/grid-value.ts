import { shownText } from '@sheaf/engine/internal/document';
import { CellError, type Scalar } from '@sheaf/engine';
import { looksLikeDate, type Locale, defaultLocale } from './locale.ts';
import { parseUserInput, type ParsedInput } from './user-input.ts';

/**
 * A cell value in the input of the operation `write` and the output of the operation `read`. Booleans, and numbers that
 * are displayed plainly, keep their type. All other values are texts, such as `12%`.
 */
export type GridValue = string | number | boolean;

const leadingZeros = /^0\d+$/;
const manyDigits = /^\d{16,}$/;
const zeroPattern = /^0{2,}$/;

/**
 * Parses a text that a program writes into a cell with the number format `pattern`. It is parsed like text typed by a
 * user, except that numbers with leading zeros (such as 007) and whole numbers of 16 or more digits stay texts.
 */
export function parseWrittenText(text: string, pattern: string, locale: Locale = defaultLocale): ParsedInput {
  if ((leadingZeros.test(text) && !zeroPattern.test(pattern)) || manyDigits.test(text))
    return { content: { value: text } };
  return parseUserInput(text, pattern, locale);
}

/** Returns a warning if the text looks like a date but was stored as text; otherwise undefined. */
export function ambiguousDateWarning(text: string, locale: Locale): string | undefined {
  if (!looksLikeDate(text)) return undefined;
  return `${text} is no date in ${locale.tag}; kept as text (send locale, or write it as 2021-05-13)`;
}

/**
 * Converts a cell value to the form in which the operation `read` returns it: the displayed text, or a number if the
 * cell has no special number format. A text that the operation `write` would parse as another type gets a leading
 * apostrophe. With `exact`, every number is returned as a number with all its digits.
 */
export function toGridValue(value: Scalar, pattern: string, exact = false, locale: Locale = defaultLocale): GridValue {
  if (value === null) return '';
  if (typeof value === 'boolean') return value;
  if (value instanceof CellError) return value.text;
  if (typeof value === 'string') return textIn(value, pattern, locale);
  if (exact) return value;
  const shown = shownText(value, pattern);
  if (pattern !== 'General' && pattern !== '') return shown;
  const plain = Number(shown);
  return Number.isFinite(plain) ? plain : shown;
}

function textIn(value: string, pattern: string, locale: Locale): string {
  const { content } = parseWrittenText(value, pattern, locale);
  return 'value' in content && content.value === value ? value : `'${value}`;
}
