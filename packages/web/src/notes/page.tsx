import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { NotebookPen, Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { queries } from '../lib/client.ts';
import { usePlainKey } from '../lib/keys.ts';
import { useTwoPanes } from '../lib/media.ts';
import { useNews } from '../lib/news.ts';
import { InSidebar } from '../shell/sidebar-slot.tsx';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { NotePane } from './note-pane.tsx';
import { noteIdNow, paneOf } from './made-notes.ts';
import { beginNote } from './new-note.ts';
import { NoteList } from './note-list.tsx';
import { NotebookTree } from './notebook-tree.tsx';
import { refreshNotes } from './queries.ts';

export function NotesPage(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const { id: asked } = useParams({ strict: false }) as { id?: string };
  const id = asked === undefined ? undefined : noteIdNow(asked);
  useEffect(() => {
    if (asked !== undefined && id !== undefined && id !== asked)
      void navigate({ to: '/notes/$id', params: { id }, search: true, replace: true, resetScroll: false });
  }, [asked, id, navigate]);
  const { folder, q, find } = useSearch({ strict: false }) as { folder?: string; q?: string; find?: string };
  const pane = useRef<HTMLDivElement>(null);
  useFoundPlace(pane, id === undefined ? undefined : find);
  const hasBoth = useTwoPanes();
  useNews('/openapi/note/v1/events', () => {
    void refreshNotes();
    void queries.invalidateQueries({ queryKey: ['note-version'] });
  });
  useTitle(id === undefined ? text('notes') : '');
  const start = useCallback(
    () => void navigate({ to: '/notes/$id', params: { id: beginNote(folder, text('untitled')) }, search: { folder } }),
    [folder, navigate, text],
  );
  usePlainKey('n', start);
  return (
    <div className="flex h-full">
      <InSidebar>
        <NotebookTree chosen={folder} />
      </InSidebar>
      {(id === undefined || hasBoth) && (
        <div className="flex w-full shrink-0 flex-col border-line lg:w-80 lg:border-r">
          <NoteList folder={folder} query={q ?? ''} chosen={id} onNew={start} />
        </div>
      )}
      <div ref={pane} className={`${id === undefined && !hasBoth ? 'hidden' : 'flex'} min-w-0 flex-1 flex-col`}>
        {id === undefined ? (
          <Empty
            icon={<NotebookPen />}
            title={text('pickNote')}
            actions={
              <Button look="primary" onClick={start}>
                <Plus size={16} /> {text('newNote')}
              </Button>
            }
          >
            {text('pickNoteHint')}
          </Empty>
        ) : (
          <NotePane key={paneOf(id)} id={id} />
        )}
      </div>
    </div>
  );
}

/** Loaded on demand: most notes are opened from a list, not from a search hit. */
function useFoundPlace(pane: RefObject<HTMLElement | null>, find: string | undefined): void {
  useEffect(() => {
    const element = pane.current;
    if (!element || find === undefined) return undefined;
    let end: (() => void) | undefined;
    let isLeft = false;
    import('./found-place.ts').then(
      ({ showFoundPlace }) => {
        if (!isLeft) end = showFoundPlace(element, find);
      },
      (error: unknown) => console.info('the place that was found', error),
    );
    return () => {
      isLeft = true;
      end?.();
    };
  }, [pane, find]);
}
