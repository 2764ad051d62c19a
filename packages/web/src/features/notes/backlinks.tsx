import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerDownRight, ListTodo, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';

const maxShown = 20;

/** Shows what a note is connected with: the notes that link to it, its tags, and the number of its open tasks. */
export function Backlinks({ id }: { id: string }): ReactNode {
  const text = useTranslation();
  const found = useQuery({
    queryKey: ['notes', 'backlinks', id],
    queryFn: async () => {
      const [{ links }, { notes }, { total }] = await Promise.all([
        sheaf.note.backlinks({ id, limit: maxShown }),
        sheaf.note.read_note({ note_id: id, max_tokens: 1, outline: false, tags: true }),
        sheaf.note.list_tasks({ note_id: id, limit: 1 }),
      ]);
      const linking = new Map(links.filter((link) => link.note_id !== id).map((link) => [link.note_id, link]));
      return { links: [...linking.values()], tags: notes[0]?.tags ?? [], tasks: total };
    },
    staleTime: 10_000,
  });
  if (found.data === undefined) return null;
  const { links, tags, tasks } = found.data;
  if (links.length === 0 && tags.length === 0 && tasks === 0) return null;
  return (
    <div className="scroll-thin flex shrink-0 items-center gap-4 overflow-x-auto border-t border-line px-4 py-1.5 text-sm whitespace-nowrap">
      {tasks > 0 && (
        <span className="flex items-center gap-1.5 text-faint">
          <ListTodo size={14} aria-hidden /> {text('openTasks', { count: tasks })}
        </span>
      )}
      {tags.length > 0 && (
        <ul aria-label={text('noteTags')} className="flex items-center gap-2 text-soft">
          <Tag size={14} aria-hidden className="text-faint" />
          {tags.map(({ tag }) => (
            <li key={tag}>#{tag}</li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <nav aria-label={text('linkedFrom')} className="flex items-center gap-2">
          <span className="flex items-center gap-1.5 text-faint">
            <CornerDownRight size={14} aria-hidden /> {text('linkedFrom')}
          </span>
          {links.map((link) => (
            <Link
              key={link.note_id}
              to="/notes/$id"
              params={{ id: link.note_id }}
              title={link.sentence}
              className="rounded-full bg-hover px-2.5 py-0.5 text-soft hover:text-ink"
            >
              {link.title === '' ? text('untitled') : link.title}
            </Link>
          ))}
        </nav>
      )}
    </div>
  );
}
