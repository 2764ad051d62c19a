import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerDownRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';

const maxShown = 20;

/**
 * Lists the notes that link to this one. Found by searching for the note's id, which links contain, so that renamed
 * notes are found too.
 */
export function Backlinks({ id }: { id: string }): ReactNode {
  const text = useTranslation();
  const found = useQuery({
    queryKey: ['notes', 'backlinks', id],
    queryFn: async () => {
      const { info_list: hits } = await sheaf.wiki.search_all({ query: `"${id}"`, kinds: ['note'], limit: maxShown });
      return hits.filter((hit) => hit.id !== id && hit.match === 'all');
    },
    staleTime: 10_000,
  });
  if (found.data === undefined || found.data.length === 0) return null;
  return (
    <nav
      aria-label={text('linkedFrom')}
      className="scroll-thin flex shrink-0 items-center gap-2 overflow-x-auto border-t border-line px-4 py-1.5 text-sm whitespace-nowrap"
    >
      <span className="flex items-center gap-1.5 text-faint">
        <CornerDownRight size={14} aria-hidden /> {text('linkedFrom')}
      </span>
      {found.data.map((hit) => (
        <Link
          key={hit.id}
          to="/notes/$id"
          params={{ id: hit.id }}
          className="rounded-full bg-hover px-2.5 py-0.5 text-soft hover:text-ink"
        >
          {hit.title === '' ? text('untitled') : hit.title}
        </Link>
      ))}
    </nav>
  );
}
