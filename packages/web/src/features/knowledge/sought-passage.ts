import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { hitWords, parseExcerpt } from '../../lib/search-excerpt.ts';
import type { Sought } from './preview/pdf-page-view.tsx';

/** Tokens read around a place in the text of an item, and characters of the passage that is marked there. */
const tokensAround = 1000;
const markedLength = 300;

/** Fetches the passage of an item that a search of its knowledge base found, with its words in `<em>`. */
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

/** Returns what to mark in an item that was opened from a search: the passage at `at`, or the one that fits best. */
export function useSought({
  id,
  base,
  query,
  at,
}: {
  id: string;
  base: string;
  query: string;
  at: number | undefined;
}): Sought {
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

/** Returns an excerpt without its marks. */
export function plainText(excerpt: string): string {
  return parseExcerpt(excerpt)
    .map((piece) => piece.text)
    .join('')
    .replace(/^…|…$/g, '')
    .trim();
}
