import { maxText } from '../../base/operators.ts';
import { cellErrors } from '../../base/values.ts';

/** Returns the text. Throws #VALUE! if it is longer than a cell can hold. */
export function checkTextLength(text: string): string {
  if (text.length > maxText) throw cellErrors.value;
  return text;
}
