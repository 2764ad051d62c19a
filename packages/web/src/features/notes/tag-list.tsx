import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { queryPlaceholder, SkeletonLines } from '../../ui/status-placeholders.tsx';

const maxTags = 100;

/** The tags of all notes that the user can read, most used first. Each tag links to its notes. */
export function TagList({ chosen }: { chosen: string | undefined }): ReactNode {
  const text = useTranslation();
  const found = useQuery({
    queryKey: ['note-tags'],
    queryFn: () => sheaf.wiki.list_tags({ kinds: ['note'], limit: maxTags }),
    staleTime: 10_000,
  });
  return (
    queryPlaceholder(found, <SkeletonLines count={2} className="h-6" />) ??
    (found.data?.tags.length === 0 ? (
      <p className="px-2.5 text-sm text-faint">{text('noTags')}</p>
    ) : (
      <ul aria-label={text('noteTags')} className="flex flex-wrap gap-1.5 px-2.5 py-1">
        {found.data?.tags.map(({ tag, notes }) => (
          <li key={tag}>
            <Link
              to="/notes"
              search={{ tag }}
              aria-current={tag === chosen ? 'true' : undefined}
              className="block rounded-full bg-hover px-2.5 py-0.5 text-sm text-soft hover:text-ink aria-current:bg-accent-soft aria-current:text-accent"
            >
              #{tag} <span className="text-xs text-faint">{notes}</span>
            </Link>
          </li>
        ))}
      </ul>
    ))
  );
}
