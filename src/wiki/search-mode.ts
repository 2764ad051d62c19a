import type { Context } from '../context.ts';
import { fail } from '../operation/errors.ts';
import type { SearchMode } from '../ports/search-index.ts';

/**
 * How a call searches. A question that is still being typed is not sent to the endpoint at every key. What was asked for
 * both ways is searched by words where there is no endpoint; by meaning alone there is nothing to search with.
 */
export function modeOf(
  { config }: Pick<Context, 'config'>,
  input: { mode?: SearchMode | undefined; prefix?: boolean | undefined },
): SearchMode {
  const isConfigured = config.SHEAF_EMBED_URL !== undefined;
  if (input.mode === 'meaning' && !isConfigured)
    throw fail(
      'invalid_parameter',
      'mode: must be "keyword" or "both", because this installation has no embedding endpoint (SHEAF_EMBED_URL) (got "meaning")',
    );
  if (!isConfigured) return 'keyword';
  return input.mode ?? (input.prefix === true ? 'keyword' : 'both');
}
