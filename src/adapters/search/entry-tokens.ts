import { tokenize } from '../../lib/tokens.ts';
import type { SearchEntry } from '../../ports/search-index.ts';
import { maxBodyLength } from './plan.ts';
import type { EntryTokens } from './protocol.ts';

export function tokensOf(entry: SearchEntry): EntryTokens {
  return {
    title: tokenize(entry.title.slice(0, maxBodyLength)),
    headings: tokenize(entry.headings.slice(0, maxBodyLength)),
    body: tokenize(entry.body.slice(0, maxBodyLength)),
  };
}
