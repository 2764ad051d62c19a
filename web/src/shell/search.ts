import { sheaf } from '../lib/client.ts';

export interface Hit {
  kind: 'knowledge' | 'folder' | 'note' | 'sheet';
  id: string;
  title: string;
  passage: string | undefined;
  container: string;
  containerName: string;
}

export async function searchEverywhere(query: string, signal: AbortSignal): Promise<Hit[]> {
  const { info_list: found } = await sheaf.wiki.search_all({ query, limit: 20 }, { signal });
  return found.map((hit) => ({ kind: hit.kind, id: hit.id, title: hit.title, passage: hit.highlight_content, container: hit.container_id ?? '', containerName: hit.container_name ?? '' }));
}
