import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { EmptyState } from '../ui/status-placeholders.tsx';

/** For each type of missing object: the message, and the path and label of a page that is offered instead. */
const lists = {
  page: ['notFound', '/', 'home'],
  sheet: ['noSuchSheet', '/sheet', 'sheets'],
  note: ['noSuchNote', '/notes', 'notes'],
  base: ['noSuchBase', '/wiki', 'knowledge'],
  item: ['noSuchItem', '/wiki', 'knowledge'],
} as const;

/**
 * Shows the same message for a missing object and for an inaccessible object, so that it does not reveal whether the
 * object exists.
 */
export function NotFound({ what, isPage = true }: { what: keyof typeof lists; isPage?: boolean }): ReactNode {
  const text = useTranslation();
  const [title, to, list] = lists[what];
  return (
    <EmptyState
      icon={<Compass />}
      title={text(title)}
      isPage={isPage}
      actions={
        <Link to={to} className="font-medium text-accent underline underline-offset-2">
          {text(list)}
        </Link>
      }
    >
      {text('notFoundHint')}
    </EmptyState>
  );
}
