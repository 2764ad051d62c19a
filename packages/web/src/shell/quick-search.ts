import { sheaf } from '../lib/api-client.ts';

export interface QuickSearchHit {
  kind: 'base' | 'knowledge' | 'folder' | 'note' | 'sheet';
  id: string;
  title: string;
  passage: string | undefined;
  container: string;
  containerName: string;
}

export async function quickSearch(query: string, signal: AbortSignal): Promise<QuickSearchHit[]> {
  const [bases, all] = await Promise.all([
    sheaf.wiki.search_knowledge_base({ query, cursor: '', limit: 5 }, { signal }),
    // Match the last word as a prefix too, because it may be incomplete.
    sheaf.wiki.search_all({ query, prefix: true, limit: 20 }, { signal }),
  ]);
  return [
    ...bases.info_list.map((base) => ({
      kind: 'base' as const,
      id: base.id,
      title: base.name,
      passage: undefined,
      container: base.id,
      containerName: '',
    })),
    ...all.info_list.map((hit) => ({
      kind: hit.kind,
      id: hit.id,
      title: hit.title,
      passage: hit.highlight_content,
      container: hit.container_id ?? '',
      containerName: hit.container_name ?? '',
    })),
  ];
}
