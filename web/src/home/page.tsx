import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { NotebookPen, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { sheaf } from '../lib/client.ts';
import { timeAgo } from '../lib/format.ts';
import { newNote } from '../notes/new-note.ts';
import { useMe } from '../shell/me.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Lines } from '../ui/states.tsx';
import { sayError } from '../ui/toast.tsx';

export function HomePage(): ReactNode {
  const text = useText();
  const me = useMe();
  const navigate = useNavigate();
  const write = async (): Promise<void> => navigate({ to: '/notes/$id', params: { id: await newNote(undefined, text('untitled')) } });
  return (
    <Page
      title={text('hello', { name: me?.name ?? '' })}
      lead={text('homeLead')}
      actions={
        <Button look="primary" onClick={() => write().catch(sayError)}>
          <Plus size={16} /> {text('newNote')}
        </Button>
      }
    >
      <RecentNotes />
    </Page>
  );
}

function RecentNotes(): ReactNode {
  const text = useText();
  const language = useLanguage();
  const recent = useQuery({ queryKey: ['notes', 'recent'], queryFn: () => sheaf.note.list_note({ cursor: '', limit: 6 }) });
  return (
    <Section title={text('recentNotes')}>
      {recent.isPending ? (
        <Lines count={3} className="h-16" />
      ) : recent.data?.note_book_list.length ? (
        <ul className="grid gap-2 sm:grid-cols-2">
          {recent.data.note_book_list.map((note) => (
            <li key={note.note_id}>
              <Link to="/notes/$id" params={{ id: note.note_id }} className="flex h-full flex-col gap-0.5 rounded-xl border border-line bg-raised px-4 py-3 hover:border-strong-line">
                <span className="truncate font-medium">{note.title === '' ? text('untitled') : note.title}</span>
                <span className="line-clamp-1 text-sm text-soft">{note.summary}</span>
                <span className="text-xs text-faint">{timeAgo(note.modify_time, language)}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="flex items-center gap-3 rounded-xl border border-dashed border-strong-line px-4 py-5 text-soft">
          <NotebookPen size={18} /> {text('noNotesYet')}
        </p>
      )}
    </Section>
  );
}
