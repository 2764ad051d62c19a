import type { LinkProps } from '@tanstack/react-router';
import { sheaf } from '../../lib/api-client.ts';
import type { ObjectChange } from './audit-changes.ts';

export interface TitledChange extends ObjectChange {
  title: string;
  link: LinkProps;
}

type TitlesById = Map<string, { title: string; link: LinkProps }>;

/**
 * Adds a title and a link to each change. Leaves out changes to objects that were deleted or are no longer
 * accessible.
 */
export async function addTitles(changes: readonly ObjectChange[]): Promise<TitledChange[]> {
  const known: TitlesById = new Map();
  const ids = new Map<ObjectChange['kind'], string[]>();
  for (const { kind, id } of changes) ids.set(kind, [...new Set([...(ids.get(kind) ?? []), id])]);
  await Promise.all(
    [...ids].map(async ([kind, wanted]) => {
      try {
        await titleLoaders[kind](known, wanted);
      } catch (error) {
        console.info('changes', error);
      }
    }),
  );
  return changes.flatMap((change) => {
    const found = known.get(change.id);
    return found ? [{ ...change, ...found }] : [];
  });
}

/**
 * Title loaders by object kind. Notes and sheets are read from lists, because a list omits missing objects while a
 * request for a missing one fails.
 */
const titleLoaders: Record<ObjectChange['kind'], (known: TitlesById, ids: readonly string[]) => Promise<void>> = {
  async note(known) {
    const { note_book_list: notes } = await sheaf.note.list_note({ cursor: '', limit: 20 });
    for (const { note_id: id, title } of notes) known.set(id, { title, link: { to: '/notes/$id', params: { id } } });
  },
  async sheet(known) {
    const { files } = await sheaf.manage.list_files({ cursor: '', limit: 50 });
    for (const { file_id: id, title } of files) known.set(id, { title, link: { to: '/sheet/$id', params: { id } } });
  },
  async base(known, ids) {
    const { infos } = await sheaf.wiki.get_knowledge_base({ ids: [...ids] });
    for (const [id, { name }] of Object.entries(infos))
      known.set(id, { title: name, link: { to: '/wiki/$base', params: { base: id } } });
  },
  async item(known, ids) {
    const { states } = await sheaf.wiki.get_knowledge_state({ media_ids: [...ids] });
    for (const { media_id: id, title, knowledge_base_id: base } of states)
      known.set(id, { title, link: { to: '/wiki/$base/item/$id', params: { base, id } } });
  },
};
