import { chargeText } from '@sheaf/engine/internal/document';
import { textOf, type Plain } from './values.ts';

/** Maximum text length of a cell; longer results are truncated. */
export const longestText = 32_767;

/** Joins values to one text, up to the maximum length. */
export function joinedText(values: readonly Plain[], separator: string): string {
  let made = '';
  for (let at = 0; at < values.length && made.length < longestText; at++)
    made += (at === 0 ? '' : separator) + textOf(values[at]!);
  chargeText(made.length);
  return made.slice(0, longestText);
}
