import { chargeText } from '@sheaf/engine/internal/document';
import { textOf, type Plain } from './values.ts';

/** The longest text a cell holds: longer results are cut. */
export const longestText = 32_767;

/** Values as one text. What would be cut off is not joined. */
export function joinedText(values: readonly Plain[], separator: string): string {
  let made = '';
  for (let at = 0; at < values.length && made.length < longestText; at++)
    made += (at === 0 ? '' : separator) + textOf(values[at]!);
  chargeText(made.length);
  return made.slice(0, longestText);
}
