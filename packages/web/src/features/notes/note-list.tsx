import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { NotebookPen, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { stripNoteLinks, formatTimeAgo } from '../../lib/format.ts';
import { HighlightedText } from '../../lib/highlighted-text.tsx';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/form-fields.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, LoadMore, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { noteDragType } from './notebook-tree.tsx';
import { notebookName, notesQuery, useNotebooks, type NoteEntry } from './queries.ts';

interface NoteListProps {
  folder: string | undefined;
  query: string;
  chosen: string | undefined;
  onNew: () => void;
}

export function NoteList({ folder, query, chosen, onNew }: NoteListProps): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const notebooks = useNotebooks();
  const here = notebooks.find((each) => each.folder_id === folder);
  const title = here === undefined ? text('allNotes') : notebookName(here, text);
  const notes = useInfiniteQuery({ ...notesQuery(folder, query), refetchInterval: 10_000 });
  const search = (q: string | undefined): void => {
    if (chosen === undefined) void navigate({ to: '/notes', search: { folder, q }, replace: true });
    else void navigate({ to: '/notes/$id', params: { id: chosen }, search: { folder, q }, replace: true });
  };
  const entries = notes.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <header className="flex flex-col gap-2 border-b border-line px-3 pt-4 pb-3">
        <div className="flex items-center justify-between gap-2 pl-1">
          <h1 className="truncate font-serif text-xl font-semibold">{title}</h1>
          <IconButton label={text('newNote')} onClick={onNew}>
            <Plus size={18} />
          </IconButton>
        </div>
        <SearchBox value={query} label={text('searchNotes')} maxLength={200} onSearch={search} />
        <NotebookPicker folder={folder} />
      </header>
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto p-2">
        {queryPlaceholder(notes, <SkeletonLines count={6} className="h-18" />, true) ??
          (entries.length === 0 ? (
            query === '' ? (
              <EmptyState
                icon={<NotebookPen />}
                title={text('noNotes')}
                actions={<Button onClick={onNew}>{text('newNote')}</Button>}
              >
                {text('noNotesHint')}
              </EmptyState>
            ) : (
              <p className="px-3 py-8 text-center text-soft">{text('nothingFound', { query })}</p>
            )
          ) : (
            <ul className="flex flex-col gap-0.5" aria-label={text('notes')}>
              {entries.map((entry) => (
                <NoteRow
                  key={entry.note.note_id}
                  entry={entry}
                  folder={folder}
                  query={query}
                  isChosen={entry.note.note_id === chosen}
                />
              ))}
            </ul>
          ))}
        <LoadMore list={notes} className="p-3" />
      </div>
    </>
  );
}

interface NoteRowProps {
  entry: NoteEntry;
  folder: string | undefined;
  query: string;
  isChosen: boolean;
}

function NoteRow({ entry: { note, title, passage }, folder, query, isChosen }: NoteRowProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const name = note.title === '' ? text('untitled') : note.title;
  return (
    <li>
      <Link
        to="/notes/$id"
        params={{ id: note.note_id }}
        search={{ folder, q: query === '' ? undefined : query }}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(noteDragType, note.note_id)}
        aria-current={isChosen ? 'true' : undefined}
        className={`flex min-h-18 flex-col gap-0.5 rounded-lg px-3 py-2 ${isChosen ? 'bg-accent-soft' : 'hover:bg-hover'}`}
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">
            {title === undefined ? name : <HighlightedText text={title} />}
          </span>
          <span className="shrink-0 text-xs text-faint">{formatTimeAgo(note.modify_time, language)}</span>
        </span>
        <span className="line-clamp-2 text-sm text-soft">
          {passage === undefined ? stripNoteLinks(note.summary) : <HighlightedText text={passage} />}
        </span>
      </Link>
    </li>
  );
}

/** Lets the user switch notebooks on screens that are too narrow for the side bar. */
function NotebookPicker({ folder }: { folder: string | undefined }): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const notebooks = useNotebooks();
  return (
    <Select
      aria-label={text('notebook')}
      value={folder ?? ''}
      onChange={(event) =>
        void navigate({ to: '/notes', search: { folder: event.target.value === '' ? undefined : event.target.value } })
      }
      className="md:hidden"
    >
      {notebooks.map((each) => (
        <option key={each.folder_id} value={each.folder_type === 1 ? '' : each.folder_id}>
          {notebookName(each, text)}
        </option>
      ))}
    </Select>
  );
}
