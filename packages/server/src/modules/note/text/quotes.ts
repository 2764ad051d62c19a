import { anchorAt, toComparableText, findQuote, locateQuote, type QuoteLocation } from '@sheaf/markdown/quote-anchor';
import type { AnchoredQuote, LocatedQuote, QuoteRequest, TextAnchor, TextRefusal } from '../../../ports/note-text.ts';
import { lineAt } from './edit-text.ts';
import { outlineOf } from './outline.ts';

const maxListedLines = 10;

/**
 * Finds the quoted text of a new comment and creates its anchor, by which the quote is found again after edits. Ignores
 * Markdown markup inside the quoted text. Returns a refusal if the text is not found or occurs several times.
 */
export function anchorQuote(
  markdown: string,
  { quote, before, after, line }: QuoteRequest,
): AnchoredQuote | TextRefusal {
  const compared = toComparableText(markdown);
  const everywhere = findQuote(compared, quote);
  const found = everywhere.filter(({ from }) => line === undefined || lineAt(markdown, from) === line);
  if (found.length === 0)
    return {
      refused:
        everywhere.length === 0
          ? `quote: the note has no such text (got ${JSON.stringify(quote)})`
          : `line: the quote is not in this line, but in ${describeLines(markdown, everywhere)} (got ${line})`,
    };
  const place = found.length === 1 ? found[0]! : placeAmong(markdown, found, { quote, before, after });
  if (!place)
    return {
      refused: `quote: occurs ${found.length} times, in ${describeLines(markdown, found)}; send line, or more of the text`,
    };
  const heading = outlineOf(markdown).headings.findLast((one) => one.from <= place.from);
  return { ...anchorAt(compared, quote, place), heading: heading?.text ?? '' };
}

/**
 * Returns the occurrence of a quote whose surrounding text matches `before` and `after` best. Returns undefined if both
 * are empty, or if the best match is not one of the occurrences in `places`.
 */
function placeAmong(
  markdown: string,
  places: readonly QuoteLocation[],
  { quote, before, after }: Pick<QuoteRequest, 'quote' | 'before' | 'after'>,
): QuoteLocation | undefined {
  const context = { before: toComparableText(before).text, after: toComparableText(after).text };
  if (context.before === '' && context.after === '') return undefined;
  const place = locateQuote(toComparableText(markdown), { quote, ...context, at: 0 });
  return place && places.find(({ from }) => from === place.from);
}

function describeLines(markdown: string, places: readonly QuoteLocation[]): string {
  const lines = [...new Set(places.map(({ from }) => lineAt(markdown, from)))];
  const more = lines.length > maxListedLines ? ', ...' : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, maxListedLines).join(', ')}${more}`;
}

/**
 * Finds where the quoted text of each comment stands in an edited note. The result is null for a quote that was
 * deleted.
 */
export function locateQuotes(markdown: string, anchors: readonly TextAnchor[]): (LocatedQuote | null)[] {
  const compared = toComparableText(markdown);
  return anchors.map((anchor) => {
    const place = locateQuote(compared, anchor);
    return place ? { ...place, line: lineAt(markdown, place.from) } : null;
  });
}
