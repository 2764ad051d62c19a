import { shownText } from '@sheaf/engine/internal/document';
import { CellError, type Scalar } from '@sheaf/engine';
import { looksLikeDate, type Locale, usual } from './locale.ts';
import { readTyped, type Typed } from './typed.ts';

/** A cell as read and write carry it: plain numbers and logical values as such, everything else as text. */
export type GridValue = string | number | boolean;

const leadingZeros = /^0\d+$/;
const manyDigits = /^\d{16,}$/;
const zeroPattern = /^0{2,}$/;

/**
 * What a text means that a program writes into a cell: as typed, but digits that are no quantity stay text: codes with leading
 * zeros, and numbers with more digits than a number keeps.
 */
export function readWritten(text: string, pattern: string, locale: Locale = usual): Typed {
  if ((leadingZeros.test(text) && !zeroPattern.test(pattern)) || manyDigits.test(text))
    return { content: { value: text } };
  return readTyped(text, pattern, locale);
}

/** What to tell about a text that stayed text though it looks like something else. */
export function doubtAbout(text: string, locale: Locale): string | undefined {
  if (!looksLikeDate(text)) return undefined;
  return `${text} is no date in ${locale.tag}; kept as text (send locale, or write it as 2021-05-13)`;
}

/**
 * A cell as it is read: what it shows, plain numbers as numbers. A text that would be taken for something else has an
 * apostrophe in front. `exact`: constants with all their digits, whatever is shown.
 */
export function gridValue(value: Scalar, pattern: string, exact = false, locale: Locale = usual): GridValue {
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
  const { content } = readWritten(value, pattern, locale);
  return 'value' in content && content.value === value ? value : `'${value}`;
}
