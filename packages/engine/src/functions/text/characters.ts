import { CellError, cellErrors, RangeRef } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { lowerOf, upperOf } from './code-points.ts';

/** Windows-1252 characters 128 to 159. The five undefined codes stay control characters. */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function charOf(code: number): string {
  return code >= 128 && code < 160 ? (highCharacters[code - 128] ?? '') : String.fromCharCode(code);
}

function codeOf(text: string): number {
  const code = text.charCodeAt(0);
  if (code < 128 || (code >= 160 && code < 256)) return code;
  const high = highCharacters.indexOf(text[0] ?? '');
  return high >= 0 ? high + 128 : 63;
}

export const characterFunctions: readonly Definition[] = [
  define('CHAR', 'number', (_call, n) => {
    const code = Math.trunc(n);
    return code < 1 || code > 255 ? cellErrors.value : charOf(code);
  }),
  define('CODE', 'text', (_call, text) => (text === '' ? cellErrors.value : codeOf(text))),
  define('UNICHAR', 'number', (_call, n) => {
    const code = Math.trunc(n);
    if (code < 1 || code > 0x10ffff) return cellErrors.value;
    if ((code >= 0xd800 && code <= 0xdfff) || (code & 0xfffe) === 0xfffe) return cellErrors.na;
    return String.fromCodePoint(code);
  }),
  define('UNICODE', 'text', (_call, text) => text.codePointAt(0) ?? cellErrors.value),
  // Like Excel, CLEAN removes only the control characters below 32. Character 127 and the control characters from 128
  // to 159 stay.
  define('CLEAN', 'text', (_call, text) => [...text].filter((sign) => sign >= ' ').join('')),
  define('TRIM', 'text', (_call, text) => text.replace(/ +/g, ' ').replace(/^ | $/g, '')),
  define('LOWER', 'text', (_call, text) => lowerOf(text)),
  define('UPPER', 'text', (_call, text) => upperOf(text)),
  define('PROPER', 'text', (_call, text) => proper(text)),
  define('EXACT', 'text text', (_call, a, b) => a === b),
  // The function T uses the first cell of a range, but each element of an array.
  define('T', 'value', (call, value) =>
    call.broadcast([value instanceof RangeRef ? value.at(0, 0) : value], (item) =>
      typeof item === 'string' || item instanceof CellError ? item : '',
    ),
  ),
];

const letter = /\p{L}/u;

function proper(text: string): string {
  let out = '';
  let inside = false;
  for (const sign of text) {
    out += inside ? lowerOf(sign) : upperOf(sign);
    inside = letter.test(sign);
  }
  return out;
}
