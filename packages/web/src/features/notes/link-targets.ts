import { useQuery } from '@tanstack/react-query';
import { createContext } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { isLocalNoteId } from '../../lib/prefetch.ts';
import { foldTitle } from './find-notes-by-title.ts';
import { noteVersionQuery } from './queries.ts';

export interface LinkTarget {
  readonly kind: 'note' | 'item' | 'sheet';
  readonly id: string;
  /** Knowledge base id of an item; empty for notes and sheets. */
  readonly base: string;
}

/** Returns the path of the page that shows the note, sheet or item to which a link points. */
export function linkTargetPath({ kind, id, base }: LinkTarget): string {
  if (kind === 'note') return `/notes/${id}`;
  return kind === 'sheet' ? `/sheet/${id}` : `/wiki/${base}/item/${id}`;
}

/** Link targets of a note by normalized title. Undefined marks a link without an existing target. */
export type LinkTargets = ReadonlyMap<string, LinkTarget | undefined>;

/** Link targets of the displayed note. Undefined while loading, and where links are not clickable. */
export const LinkTargetsContext = createContext<LinkTargets | undefined>(undefined);

/** Matches links by title in the text of a note: `[[Title]]`, `[[Title#Heading]]` and `[[Title|text]]`. */
export const noteLinkPattern = /\[\[([^[\]|#\n]+)(#[^[\]|\n]*)?(?:\|([^[\]\n]+))?\]\]/g;

export function targetOf(links: LinkTargets, title: string): LinkTarget | undefined {
  return links.get(foldTitle(title));
}

/** Loads the link targets of a note, and reloads them after each change of its text. */
export function useLinkTargets(id: string): LinkTargets | undefined {
  const isStored = !isLocalNoteId(id);
  const version = useQuery({ ...noteVersionQuery(id), enabled: isStored }).data?.version;
  return useQuery({
    queryKey: ['notes', 'links', id, version],
    queryFn: async (): Promise<LinkTargets> => {
      const { links } = await sheaf.note.list_links({ note_id: id, limit: 500 });
      return new Map(
        links.map(({ title, kind, target_id: target, knowledge_base_id: base = '' }) => [
          foldTitle(title),
          kind === undefined || target === undefined ? undefined : { kind, id: target, base },
        ]),
      );
    },
    enabled: isStored && version !== undefined,
    placeholderData: (previous) => previous,
    staleTime: 5000,
  }).data;
}
