import type { LinkProps } from '@tanstack/react-router';
import { sheaf } from '../../lib/api-client.ts';
import type { ObjectChange } from './audit-changes.ts';
import { loadItems } from './load-items.ts';

export interface TitledChange extends ObjectChange {
  title: string;
  link: LinkProps;
}

type TitlesById = Map<string, { title: string; link: LinkProps }>;

/**
 * Adds the title of the changed object and a link to it to each change. Omits changes whose object is not found, such
 * as a deleted or inaccessible one.
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
 * Maximum number of notes that are requested one by one, because the list of the latest notes does not contain them.
 */
const maxAsked = 12;

/**
 * Functions that load the titles of objects into `known`, by object type. Notes and sheets are looked up in the lists
 * of the latest ones, which omit deleted objects; notes missing from their list are then requested one by one.
 */
const titleLoaders: Record<ObjectChange['kind'], (known: TitlesById, ids: readonly string[]) => Promise<void>> = {
  async note(known, ids) {
    const { note_book_list: notes } = await sheaf.note.list_note({ cursor: '', limit: 20 });
    const add = (id: string, title: string): unknown =>
      known.set(id, { title, link: { to: '/notes/$id', params: { id } } });
    for (const { note_id: id, title } of notes) add(id, title);
    const others = ids.filter((id) => !known.has(id)).slice(0, maxAsked);
    for (const { id, title } of await loadItems(others)) add(id, title);
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
