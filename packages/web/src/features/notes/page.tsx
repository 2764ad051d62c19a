import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { NotebookPen, Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { queryClient } from '../../lib/api-client.ts';
import { isLocalNoteId } from '../../lib/prefetch.ts';
import { useKeyShortcut } from '../../lib/keyboard-shortcuts.ts';
import { useTwoPaneLayout } from '../../lib/media-queries.ts';
import { useServerEvents } from '../../lib/use-server-events.ts';
import { InSidebar } from '../../shell/sidebar-slot.tsx';
import { useTranslation, withCommentTexts } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { useDocumentTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/status-placeholders.tsx';
import { useStore } from '../../ui/store.ts';
import { commentsView } from '../comments/comments-toggle.tsx';
import { NotePane } from './note-pane.tsx';
import { resolveNoteId, stableNoteKey } from './note-ids.ts';
import { startNewNote } from './new-note-draft.ts';
import { NoteList } from './note-list.tsx';
import { noteQuery, refreshNotes } from './queries.ts';
import { joinedRoomNoteId, forwardRoomEvent } from './room-events.ts';

// Loaded on demand: most notes are read without the comments panel, and narrow screens do not show the notebook tree.
const NoteCommentsPanel = lazyComponent(
  async () => (await withCommentTexts(import('../comments/note-comments-panel.tsx'))).NoteCommentsPanel,
);
const NotebookTree = lazyComponent(async () => (await import('./notebook-tree.tsx')).NotebookTree);

export function NotesPage(): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const { id: asked } = useParams({ strict: false }) as { id?: string };
  const id = asked === undefined ? undefined : resolveNoteId(asked);
  useEffect(() => {
    if (asked !== undefined && id !== undefined && id !== asked)
      void navigate({ to: '/notes/$id', params: { id }, search: true, replace: true, resetScroll: false });
  }, [asked, id, navigate]);
  const { folder, q, tag, find } = useSearch({ strict: false }) as {
    folder?: string;
    q?: string;
    tag?: string;
    find?: string;
  };
  const pane = useRef<HTMLDivElement>(null);
  useHighlightHit(pane, id === undefined ? undefined : find);
  const hasBoth = useTwoPaneLayout();
  const view = useStore(commentsView);
  useServerEvents(
    useEventsAddress(id),
    () => {
      void refreshNotes();
      void queryClient.invalidateQueries({ queryKey: ['note-version'] });
      void queryClient.invalidateQueries({ queryKey: ['note-comments'] });
      void queryClient.invalidateQueries({ queryKey: ['note-suggestions'] });
    },
    forwardRoomEvent,
  );
  useDocumentTitle(id === undefined ? text('notes') : '');
  const start = useCallback(
    () =>
      void navigate({ to: '/notes/$id', params: { id: startNewNote(folder, text('untitled')) }, search: { folder } }),
    [folder, navigate, text],
  );
  useKeyShortcut('n', start);
  return (
    <div className="flex h-full">
      <InSidebar>
        <NotebookTree chosen={folder} tag={tag} />
      </InSidebar>
      {(id === undefined || hasBoth) && (
        <div className="flex w-full shrink-0 flex-col border-line lg:w-80 lg:border-r">
          <NoteList folder={folder} query={q ?? ''} tag={tag} chosen={id} onNew={start} />
        </div>
      )}
      <div ref={pane} className={`${id === undefined && !hasBoth ? 'hidden' : 'flex'} min-w-0 flex-1 flex-col`}>
        {id === undefined ? (
          <EmptyState
            icon={<NotebookPen />}
            title={text('pickNote')}
            actions={
              <Button variant="primary" onClick={start}>
                <Plus size={16} /> {text('newNote')}
              </Button>
            }
          >
            {text('pickNoteHint')}
          </EmptyState>
        ) : (
          <NotePane key={stableNoteKey(id)} id={id} />
        )}
      </div>
      {id !== undefined && !isLocalNoteId(id) && view !== 'closed' && (
        <NoteCommentsPanel key={id} id={id} pane={pane} onClose={() => commentsView.set('closed')} />
      )}
    </div>
  );
}

/**
 * Returns the URL of the event stream for the user's notes. If the open note belongs to another user or is edited by
 * several people, its id is added to the URL, and the stream also contains the events of this note.
 */
function useEventsAddress(id: string | undefined): string {
  const open = useQuery({ ...noteQuery(id ?? ''), enabled: false });
  const shared = useStore(joinedRoomNoteId);
  if (shared !== undefined && shared === id)
    return `/openapi/note/v1/events?note_id=${encodeURIComponent(shared)}&room=1`;
  return `/openapi/note/v1/events${open.data?.role === undefined ? '' : `?note_id=${open.data.note_id}`}`;
}

/**
 * Highlights a search hit in the note. The code is loaded on demand, because most notes are not opened from a search
 * hit.
 */
function useHighlightHit(pane: RefObject<HTMLElement | null>, find: string | undefined): void {
  useEffect(() => {
    const element = pane.current;
    if (!element || find === undefined) return undefined;
    let end: (() => void) | undefined;
    let isLeft = false;
    import('./highlight-hit.ts').then(
      ({ highlightHit }) => {
        if (!isLeft) end = highlightHit(element, find);
      },
      (error: unknown) => console.info('the place that was found', error),
    );
    return () => {
      isLeft = true;
      end?.();
    };
  }, [pane, find]);
}
