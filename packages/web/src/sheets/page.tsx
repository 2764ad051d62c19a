import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { isMissing } from '../lib/client.ts';
import { Missing } from '../shell/missing.ts';
import { Failed, Lines } from '../ui/states.tsx';
import { takePrepared } from './prepare.ts';
import { openSession } from './open-session.ts';
import { showFound } from './show-found.ts';
import { SheetView } from './sheet-view.tsx';

/** The page of one document. It opens the session, unless prepareDocument already did. */
export function SheetPage(): ReactNode {
  const { id } = useParams({ from: '/sheet/$id' });
  return <Document key={id} id={id} />;
}

function Document({ id }: { id: string }): ReactNode {
  const navigate = useNavigate();
  const { tab, find } = useSearch({ from: '/sheet/$id' });
  const [session, setSession] = useState(() => takePrepared(id));
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
    // Does not depend on the tab, because the tab in the address only selects the first sub-sheet to show.
  }, [id, tries]);
  useEffect(() => {
    if (!session) return undefined;
    return session.current.subscribe(
      () => void navigate({ to: '/sheet/$id', params: { id }, search: { tab: session.current.get() }, replace: true }),
    );
  }, [session, navigate, id]);
  // Goes to the cell that a search found.
  useEffect(() => {
    if (session && find !== undefined)
      showFound(session, find).catch((findError: unknown) => console.info('the place that was found', findError));
  }, [session, find]);
  if (isMissing(error)) return <Missing what="sheet" />;
  if (error !== undefined) {
    const again = (): void => {
      setError(undefined);
      setTries(tries + 1);
    };
    return <Failed error={error} retry={again} />;
  }
  if (!session)
    return (
      <div className="h-full p-10" aria-busy>
        <Lines count={6} />
      </div>
    );
  return <SheetView session={session} />;
}
