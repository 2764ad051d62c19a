import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NotebookPen, Plus, X } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { useSetting } from '../../lib/browser-storage.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/form-fields.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { useListSelection } from '../../ui/list-selection.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { SelectMenu } from '../../ui/select-menu.tsx';
import { EmptyState, LoadMore, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { deleteNotes } from './move-notes.ts';
import { NoteRows } from './note-rows.tsx';
import { noteOrder, noteOrders, notebookName, notesQuery, useNotebooks, type NoteOrder } from './queries.ts';

// Loaded on demand, because most visits do not select notes.
const SelectionBar = lazyComponent(async () => (await import('./selection-bar.tsx')).SelectionBar);

interface NoteListProps {
  folder: string | undefined;
  query: string;
  tag: string | undefined;
  chosen: string | undefined;
  onNew: () => void;
}

const orderLabels: Record<NoteOrder, MessageKey> = { changed: 'filterDate', created: 'orderCreated', title: 'title' };

/** Reload interval in milliseconds, in case the event stream misses a change. Long lists are reloaded less often. */
const pollMs = 10_000;
const longPollMs = 120_000;

export function NoteList({ folder, query, tag, chosen, onNew }: NoteListProps): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const order = useSetting(noteOrder);
  const notebooks = useNotebooks();
  const here = notebooks.find((each) => each.folder_id === folder);
  const title = here === undefined ? text('allNotes') : notebookName(here, text);
  const filter = { folder, query, tag, order };
  const notes = useInfiniteQuery({
    ...notesQuery(filter),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? longPollMs : pollMs),
  });
  const go = (change: { q?: string | undefined; tag?: string | undefined }): void => {
    const search = { folder, tag, q: query === '' ? undefined : query, ...change };
    if (chosen === undefined) void navigate({ to: '/notes', search, replace: true });
    else void navigate({ to: '/notes/$id', params: { id: chosen }, search, replace: true });
  };
  const entries = notes.data?.pages.flatMap((page) => page.entries) ?? [];
  const selection = useListSelection(entries.map((entry) => entry.note.note_id));
  const { hasNextPage, isFetching, fetchNextPage } = notes;
  const loadMore = useCallback(() => {
    // Load ahead only while nothing is searched. Search results come in small pages, which `LoadMore` below the list
    // loads.
    if (query === '' && hasNextPage && !isFetching) void fetchNextPage();
  }, [query, hasNextPage, isFetching, fetchNextPage]);
  const remove = (ids: readonly string[]): void => {
    selection.clear();
    deleteNotes(ids, text).catch(showErrorToast);
  };
  return (
    <>
      <header className="flex flex-col gap-2 border-b border-line px-3 pt-4 pb-3">
        <div className="flex items-center justify-between gap-2 pl-1">
          <h1 className="truncate font-serif text-xl font-semibold">{title}</h1>
          <IconButton label={text('newNote')} onClick={onNew}>
            <Plus size={18} />
          </IconButton>
        </div>
        <SearchBox value={query} label={text('searchNotes')} maxLength={200} onSearch={(q) => go({ q })} />
        <div className="flex flex-wrap items-center gap-2">
          {query === '' && (
            <SelectMenu
              label={text('orderBy')}
              value={order}
              options={noteOrders.map((value) => ({ value, label: text(orderLabels[value]) }))}
              onChange={(value) => noteOrder.set(value)}
            />
          )}
          {tag !== undefined && (
            <span className="flex h-8 items-center gap-1 rounded-full bg-accent-soft pr-1 pl-3 text-sm text-accent">
              #{tag}
              <IconButton
                label={text('removeTagFilter', { tag })}
                className="size-6"
                onClick={() => go({ tag: undefined })}
              >
                <X size={13} />
              </IconButton>
            </span>
          )}
        </div>
        <NotebookPicker folder={folder} />
      </header>
      {selection.ids.size > 0 && (
        <SelectionBar
          selection={selection}
          all={entries.map((entry) => entry.note.note_id)}
          onDelete={() => remove([...selection.ids])}
        />
      )}
      {queryPlaceholder(
        notes,
        <div className="min-h-0 flex-1 overflow-hidden p-2">
          <SkeletonLines count={6} className="h-18" />
        </div>,
        true,
      ) ??
        (entries.length === 0 ? (
          <EmptyList query={query} onNew={onNew} />
        ) : (
          <NoteRows
            // Remount the list when the filter changes, so that it starts at the top.
            key={JSON.stringify(filter)}
            entries={entries}
            filter={filter}
            chosen={chosen}
            selection={selection}
            onNearEnd={loadMore}
            onDelete={remove}
          />
        ))}
      {query !== '' && <LoadMore list={notes} className="p-3" />}
    </>
  );
}

function EmptyList({ query, onNew }: { query: string; onNew: () => void }): ReactNode {
  const text = useTranslation();
  if (query !== '') return <p className="px-3 py-8 text-center text-soft">{text('nothingFound', { query })}</p>;
  return (
    <EmptyState
      icon={<NotebookPen />}
      title={text('noNotes')}
      actions={<Button onClick={onNew}>{text('newNote')}</Button>}
    >
      {text('noNotesHint')}
    </EmptyState>
  );
}

/** Notebook selection for screens that are too narrow for the sidebar. */
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
