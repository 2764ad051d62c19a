import { maxText } from '../../base/operators.ts';
import { cellErrors } from '../../base/values.ts';

/** Throws #VALUE! for a text longer than a cell can hold. */
export function checkTextLength(text: string): string {
  if (text.length > maxText) throw cellErrors.value;
  return text;
}
