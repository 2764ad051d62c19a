import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Library, NotebookPen, Plus, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { timeAgo } from '../lib/format.ts';
import { newNote } from '../notes/new-note.ts';
import { useMe } from '../shell/me.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Lines } from '../ui/states.tsx';
import { sayError } from '../ui/toast.tsx';
import { firstBasesQuery, recentNotesQuery, recentSheetsQuery } from './queries.ts';
import { SamplesCard } from './samples-card.tsx';

export function HomePage(): ReactNode {
  const text = useText();
  const me = useMe();
  const navigate = useNavigate();
  const recent = useRecentNotes();
  const write = async (): Promise<void> =>
    navigate({ to: '/notes/$id', params: { id: await newNote(undefined, text('untitled')) } });
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
      {recent.isSuccess && <SamplesCard isEmpty={recent.data.note_book_list.length === 0} />}
      <RecentNotes recent={recent} />
      <Bases />
      <Sheets />
    </Page>
  );
}

const card = 'flex h-full flex-col gap-0.5 rounded-xl border border-line bg-raised px-4 py-3 hover:border-strong-line';

function Nothing({ icon, children }: { icon: ReactNode; children: ReactNode }): ReactNode {
  return (
    <p className="flex min-h-20 items-center gap-3 rounded-xl border border-dashed border-strong-line px-4 text-soft">
      {icon} {children}
    </p>
  );
}

function useRecentNotes() {
  return useQuery(recentNotesQuery);
}

function RecentNotes({ recent }: { recent: ReturnType<typeof useRecentNotes> }): ReactNode {
  const text = useText();
  const language = useLanguage();
  return (
    <Section title={text('recentNotes')}>
      {recent.isPending ? (
        <Lines count={1} className="h-20" />
      ) : recent.data?.note_book_list.length ? (
        <ul className="grid gap-2 sm:grid-cols-2">
          {recent.data.note_book_list.map((note) => (
            <li key={note.note_id}>
              <Link to="/notes/$id" params={{ id: note.note_id }} className={card}>
                <span className="truncate font-medium">{note.title === '' ? text('untitled') : note.title}</span>
                <span className="line-clamp-1 text-sm text-soft">{note.summary}</span>
                <span className="text-xs text-faint">{timeAgo(note.modify_time, language)}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Nothing icon={<NotebookPen size={18} />}>{text('noNotesYet')}</Nothing>
      )}
    </Section>
  );
}

function Bases(): ReactNode {
  const text = useText();
  const bases = useQuery(firstBasesQuery);
  return (
    <Section title={text('knowledgeBases')}>
      {bases.isPending ? (
        <Lines count={1} className="h-20" />
      ) : bases.data?.info_list.length ? (
        <ul className="grid gap-2 sm:grid-cols-2">
          {bases.data.info_list.map((base) => (
            <li key={base.id}>
              <Link to="/wiki/$base" params={{ base: base.id }} className={card}>
                <span className="truncate font-medium">{base.name}</span>
                <span className="line-clamp-1 text-sm text-soft">{base.description}</span>
                <span className="text-xs text-faint">{text('itemCount', { count: base.content_count })}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Nothing icon={<Library size={18} />}>{text('noBases')}</Nothing>
      )}
    </Section>
  );
}

function Sheets(): ReactNode {
  const text = useText();
  const language = useLanguage();
  const files = useQuery(recentSheetsQuery);
  return (
    <Section title={text('sheets')}>
      {files.isPending ? (
        <Lines count={1} className="h-20" />
      ) : files.data?.files.length ? (
        <ul className="grid gap-2 sm:grid-cols-2">
          {files.data.files.map((file) => (
            <li key={file.file_id}>
              <Link to="/sheet/$id" params={{ id: file.file_id }} className={card}>
                <span className="truncate font-medium">{file.title}</span>
                <span className="text-xs text-faint">{timeAgo(file.modify_time, language)}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Nothing icon={<Table2 size={18} />}>{text('noSheets')}</Nothing>
      )}
    </Section>
  );
}
