import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { isNotFound } from '../../lib/api-client.ts';
import { LazyNotFound } from '../../shell/lazy-not-found.ts';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { takePreloadedSession } from './preload-document.ts';
import { openSession } from './open-session.ts';
import { singleCellRange } from './cell-geometry.ts';
import type { SheetSession } from './sheet-session.ts';
import { SheetView } from './sheet-view.tsx';

/** The page of one spreadsheet document. Opens a session for the document, unless a session was preloaded. */
export function SheetPage(): ReactNode {
  const { id } = useParams({ from: '/sheet/$id' });
  return <Document key={id} id={id} />;
}

function Document({ id }: { id: string }): ReactNode {
  const navigate = useNavigate();
  const { tab, find } = useSearch({ from: '/sheet/$id' });
  const [session, setSession] = useState(() => takePreloadedSession(id));
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (session) return undefined;
    let left = false;
    openSession(id, tab).then(
      (opened) => !left && setSession(opened),
      (openError: unknown) => !left && setError(openError),
    );
    return () => {
      left = true;
    };
    // `tab` is not a dependency of this effect, because the tab in the URL only determines the sub-sheet to show first.
  }, [id, tries]);
  useEffect(() => {
    if (!session) return undefined;
    return session.current.subscribe(
      () => void navigate({ to: '/sheet/$id', params: { id }, search: { tab: session.current.get() }, replace: true }),
    );
  }, [session, navigate, id]);
  // If the page was opened from a search result, go to the cell that contains the found text.
  useEffect(() => {
    if (session && find !== undefined)
      goToMatch(session, find).catch((findError: unknown) => console.info('the place that was found', findError));
  }, [session, find]);
  if (isNotFound(error)) return <LazyNotFound what="sheet" />;
  if (error !== undefined) {
    const again = (): void => {
      setError(undefined);
      setTries(tries + 1);
    };
    return <ErrorState error={error} retry={again} />;
  }
  if (!session)
    return (
      <div className="h-full p-10" aria-busy>
        <SkeletonLines count={6} />
      </div>
    );
  return <SheetView session={session} />;
}

/**
 * Goes to the first cell of the document whose complete text is `text`, or else to the first cell that contains it.
 * Does nothing if no cell contains it.
 */
async function goToMatch(session: SheetSession, text: string): Promise<void> {
  const asked = { search_term: text, max_results: 1 };
  const whole = await session.read('find', { ...asked, match_entire_cell: true });
  const [cell] = whole.results.length > 0 ? whole.results : (await session.read('find', asked)).results;
  if (cell) session.goTo(cell.sheet_id, singleCellRange(cell.row, cell.col));
}
