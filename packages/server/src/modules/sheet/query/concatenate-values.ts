import { chargeText } from '@sheaf/engine/internal/document';
import { toText, type QueryValue } from './query-value.ts';

/**
 * Maximum length in characters of a text that a query computes, equal to that of a cell. Longer results are truncated.
 */
export const maxResultText = 32_767;

/** Joins values into one text, truncated at the maximum length. */
export function concatenateValues(values: readonly QueryValue[], separator: string): string {
  let made = '';
  for (let at = 0; at < values.length && made.length < maxResultText; at++)
    made += (at === 0 ? '' : separator) + toText(values[at]!);
  chargeText(made.length);
  return made.slice(0, maxResultText);
}
