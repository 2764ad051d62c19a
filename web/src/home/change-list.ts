import type { LinkProps } from '@tanstack/react-router';
import { sheaf } from '../lib/client.ts';
import type { Recent } from './recents.tsx';

type Row = Awaited<ReturnType<typeof sheaf.account.list_audit>>['rows'][number];

/** Something that was changed, by one of those who did. */
interface Changed {
  kind: 'note' | 'sheet' | 'base' | 'item';
  id: string;
  /** `me` at the page or the command line, `others`, or the id of a key or app. */
  by: string;
  /** How often; 0 where nobody counted. */
  count: number;
  time: number;
}

export interface Change extends Changed {
  title: string;
  link: LinkProps;
}

const maxShown = 12;

/** The beginning of yesterday, where the person is. */
export function sinceYesterday(now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime();
}

const kinds: readonly (readonly [prefix: string, kind: Changed['kind']])[] = [
  ['note_', 'note'],
  ['doc_', 'sheet'],
  ['kb_', 'base'],
  ['media_', 'item'],
];

/**
 * One entry a thing and doer, the latest first. What the record of one's own writes does not have and was changed all the
 * same, somebody else changed.
 */
export function changesOf(rows: readonly Row[], recents: readonly Recent[], since: number): Changed[] {
  const found = new Map<string, Changed>();
  const mine = new Map<string, number>();
  const removedAt = Math.max(0, ...rows.filter((row) => row.operation.startsWith('wiki.delete_')).map((row) => row.at));
  for (const row of rows) {
    const kind = kinds.find(([prefix]) => row.target.startsWith(prefix))?.[1];
    if (kind === undefined || row.at < since) continue;
    // It may have gone with its folder or base: the record names those only.
    if (kind === 'item' && row.at <= removedAt) continue;
    const by = row.key_id === '' || row.key_id.startsWith('session_') ? 'me' : row.key_id;
    mine.set(row.target, Math.max(mine.get(row.target) ?? 0, row.at));
    const before = found.get(`${by} ${row.target}`);
    if (before) before.count += 1;
    else found.set(`${by} ${row.target}`, { kind, id: row.target, by, count: 1, time: row.at });
  }
  for (const { kind, id, time } of recents)
    if (kind === 'sheet' && time >= since && time > (mine.get(id) ?? 0) + sameMs)
      found.set(`others ${id}`, { kind, id, by: 'others', count: 0, time });
  return [...found.values()].toSorted((one, other) => other.time - one.time).slice(0, maxShown);
}

/** The record and the thing note the time of one write a little apart. */
const sameMs = 2000;

type Known = Map<string, { title: string; link: LinkProps }>;

/** With what they are called; what is gone by now, or not to be seen any more, is left out. */
export async function titled(changes: readonly Changed[]): Promise<Change[]> {
  const known: Known = new Map();
  const ids = new Map<Changed['kind'], string[]>();
  for (const { kind, id } of changes) ids.set(kind, [...new Set([...(ids.get(kind) ?? []), id])]);
  await Promise.all(
    [...ids].map(async ([kind, wanted]) => {
      try {
        await asks[kind](known, wanted);
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

/** Asked by lists where there are some: what is no longer there is not in them, and refuses nothing. */
const asks: Record<Changed['kind'], (known: Known, ids: readonly string[]) => Promise<void>> = {
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
