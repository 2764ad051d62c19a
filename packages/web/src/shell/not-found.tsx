import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Empty } from '../ui/states.tsx';

/** For each kind of missing object: the message, and the list page to offer instead. */
const lists = {
  page: ['notFound', '/', 'home'],
  sheet: ['noSuchSheet', '/sheet', 'sheets'],
  note: ['noSuchNote', '/notes', 'notes'],
  base: ['noSuchBase', '/wiki', 'knowledge'],
  item: ['noSuchItem', '/wiki', 'knowledge'],
} as const;

/** Shows the same message for a missing object and for one that the user may not see. */
export function NotFound({ what, isPage = true }: { what: keyof typeof lists; isPage?: boolean }): ReactNode {
  const text = useText();
  const [title, to, list] = lists[what];
  return (
    <Empty
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
    </Empty>
  );
}
