import { cellErrors } from '../../base/values.ts';

/** Maximum characters of a cell; a longer result is #VALUE!. */
export const maxText = 32_767;

export function checkTextLength(text: string): string {
  if (text.length > maxText) throw cellErrors.value;
  return text;
}
