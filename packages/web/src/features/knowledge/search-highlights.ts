import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { hitWords, parseExcerpt } from '../../lib/search-excerpt.ts';
import type { SearchHighlights } from './preview/pdf-page-view.tsx';

/**
 * Number of tokens loaded around a position in an item's text, and maximum length of the highlighted passage in
 * characters.
 */
const tokensAround = 1000;
const markedLength = 300;

/**
 * Searches the knowledge base for `query`. Returns the passage that was found in the item `id`, with the search words
 * in `<em>` tags. Returns an empty text while loading and if nothing was found.
 */
export function useHitPassage(base: string, query: string, id: string): string {
  const hit = useQuery({
    queryKey: ['base-search', base, query, id],
    queryFn: async () =>
      (await sheaf.wiki.search_knowledge({ knowledge_base_id: base, query, prefix: true, cursor: '' })).info_list.find(
        (each) => each.media_id === id,
      )?.highlight_content ?? '',
    enabled: query !== '',
  });
  return hit.data ?? '';
}

/**
 * Returns the passage and words to highlight in an item: the text at offset `at`, or else the best passage for the
 * query.
 */
export function useSearchHighlights({
  id,
  base,
  query,
  at,
}: {
  id: string;
  base: string;
  query: string;
  at: number | undefined;
}): SearchHighlights {
  const hit = useHitPassage(base, query, id);
  const around = useQuery({
    queryKey: ['content-at', id, at],
    queryFn: async () => {
      const { content, start } = await sheaf.wiki.get_knowledge_content({
        media_id: id,
        at: at!,
        max_tokens: tokensAround,
        marks: false,
      });
      return content.slice(at! - start, at! - start + markedLength).split(/\n\s*\n/)[0]!;
    },
    enabled: at !== undefined,
    staleTime: 60_000,
  });
  const passage = at === undefined ? plainText(hit) : (around.data ?? '');
  return useMemo(() => ({ passage, words: hitWords(hit) }), [passage, hit]);
}

/** Returns a passage as plain text, without `<em>` tags and leading or trailing ellipses. */
export function plainText(excerpt: string): string {
  return parseExcerpt(excerpt)
    .map((piece) => piece.text)
    .join('')
    .replace(/^…|…$/g, '')
    .trim();
}
