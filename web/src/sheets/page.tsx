import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useState, type ReactNode } from 'react';
import { Failed, Lines } from '../ui/states.tsx';
import { openSession, type SheetSession } from './session.ts';

// Asked for at once, while the document is being opened.
const loading = import('./sheet-view.tsx');
const SheetView = lazy(async () => ({ default: (await loading).SheetView }));

/** One document: its session is opened here, the grid is a chunk of its own. */
export function SheetPage(): ReactNode {
  const { id } = useParams({ from: '/sheet/$id' });
  return <Document key={id} id={id} />;
}

function Document({ id }: { id: string }): ReactNode {
  const navigate = useNavigate();
  const { tab } = useSearch({ from: '/sheet/$id' });
  const [session, setSession] = useState<SheetSession>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let left = false;
    openSession(id, tab).then(
      (opened) => !left && setSession(opened),
      (reason: unknown) => !left && setError(reason),
    );
    return () => {
      left = true;
    };
    // The tab in the address only says where to begin.
  }, [id, tries]);
  useEffect(() => {
    if (!session) return undefined;
    return session.current.subscribe(() => void navigate({ to: '/sheet/$id', params: { id }, search: { tab: session.current.get() }, replace: true }));
  }, [session, navigate, id]);
  if (error !== undefined) {
    const again = (): void => {
      setError(undefined);
      setTries(tries + 1);
    };
    return <Failed error={error} retry={again} />;
  }
  const waiting = <div className="h-full p-10" aria-busy><Lines count={6} /></div>;
  if (!session) return waiting;
  return (
    <Suspense fallback={waiting}>
      <SheetView session={session} />
    </Suspense>
  );
}
