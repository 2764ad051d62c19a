import { parseNumber } from '../base/parse-number.ts';
import { errorOfText, type Scalar } from '../base/values.ts';

export type Input = { readonly formula: string } | { readonly value: Scalar };

/**
 * Converts text typed into a cell to a value or formula. A leading apostrophe is removed and makes the rest plain text.
 */
export function readInput(text: string): Input {
  if (text === '') return { value: null };
  const first = text.charCodeAt(0);
  if (first === 61 && text.length > 1) return { formula: text };
  if (first === 39) return { value: text.slice(1) };
  const upper = text.length <= 5 ? text.toUpperCase() : '';
  if (upper === 'TRUE') return { value: true };
  if (upper === 'FALSE') return { value: false };
  if (first === 35) return { value: errorOfText(text) ?? text };
  return { value: parseNumber(text) ?? text };
}
