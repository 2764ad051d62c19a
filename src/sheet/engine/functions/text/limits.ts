import { ERRORS } from '../../base/values.ts';

/** The most characters a cell holds; a longer result is #VALUE!. */
export const MAX_TEXT = 32_767;

export function limited(text: string): string {
  if (text.length > MAX_TEXT) throw ERRORS.value;
  return text;
}
