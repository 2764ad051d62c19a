import { shownText } from '@sheaf/engine/internal/document';
import { CellError, type Scalar } from '@sheaf/engine';
import { looksLikeDate, type Locale, defaultLocale } from './locale.ts';
import { parseUserInput, type ParsedInput } from './user-input.ts';

/**
 * A cell value in the operations `read` and `write`. Plain numbers and booleans keep their type; all other values are
 * texts.
 */
export type GridValue = string | number | boolean;

const leadingZeros = /^0\d+$/;
const manyDigits = /^\d{16,}$/;
const zeroPattern = /^0{2,}$/;

/**
 * Parses a text that a program wrote. Unlike text typed by a user, codes with leading zeros and numbers with too many
 * digits for a double stay text.
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
 * Converts a cell value to the form that the operation `read` returns: the displayed text, or a number if it is
 * displayed plainly. A text that `write` would parse as another type gets a leading apostrophe. With `exact`, numbers
 * are returned with all digits.
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
