import type { Context } from '../context.ts';
import { z } from 'zod';
import { hasNoTerms } from '@sheaf/search/query/parse-query';
import type { SearchMode } from '../ports/search-index.ts';
import { fail } from './errors.ts';
import { flag, oneOf } from './field-schemas.ts';
import { formatValue } from './parse-input.ts';

/** Input field: the search mode. */
export const mode = () =>
  oneOf('By words, meaning or both. Default: both if configured and prefix is not set, else keyword.', [
    'keyword',
    'meaning',
    'both',
  ] as const).optional();

export const prefix = () =>
  // The field is for programs that search while the user types. Hide it in the tool lists for AI models, because models
  // send whole words.
  flag('Whether the last word may be a beginning.').meta({ 'x-unlisted': true }).optional();

export const match = () =>
  oneOf('Whether every word of the query was found, only some of them, or none but its meaning.', [
    'all',
    'some',
    'meaning',
  ] as const);

export const indexBehind = () =>
  flag(
    "True if recent changes may be missing: the caller's own were not indexed within 5 s, or the index is behind by a great many.",
  ).optional();

export const keywordOnly = () =>
  flag('True if meaning was not searched: the embedding endpoint of this installation does not respond.').optional();

export const corrections = () =>
  z
    .record(z.string(), z.string())
    .meta({
      description:
        'Words that no text has, each with what was searched instead: the nearest word or, with a dictionary, translations.',
    })
    .optional();

const wordless = 'has no letter, digit or character to search for, and signs alone match nothing';

/**
 * Throws if the query contains no word. Operations whose behavior an external API specification defines must not call
 * this function, because they must return an empty list instead.
 */
export function refuseWordless(query: string): void {
  if (hasNoTerms(query)) throw fail('invalid_parameter', `query: ${wordless} (got ${formatValue(query)})`);
}

/**
 * Returns whether the query contains no word, and adds a notice to the answer if so. Used by operations whose behavior
 * an external API specification defines: for such a query, they must return an empty list and no error.
 */
export function addWordlessNotice({ reply }: Pick<Context, 'reply'>, field: string, query: string): boolean {
  const isWordless = hasNoTerms(query);
  if (isWordless) reply.notice = `${field} ${wordless}`;
  return isWordless;
}

/**
 * Returns the search mode of a call. Without an embedding model, `both` becomes keyword search and `meaning` is
 * refused. With a model, the default is `both`, or keyword search for a prefix search (while the user types).
 */
export function resolveSearchMode(
  { embeddingModel }: Pick<Context, 'embeddingModel'>,
  input: { mode?: SearchMode | undefined; prefix?: boolean | undefined },
): SearchMode {
  const isConfigured = embeddingModel !== undefined;
  if (input.mode === 'meaning' && !isConfigured)
    throw fail(
      'invalid_parameter',
      'mode: must be "keyword" or "both", because this installation has no embedding endpoint (SHEAF_EMBED_URL) or model (got "meaning")',
    );
  if (!isConfigured) return 'keyword';
  return input.mode ?? (input.prefix === true ? 'keyword' : 'both');
}
