import { Unlink } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { momentOf } from '../lib/format.ts';
import { ActiveCell } from '../sheets/active-cell.tsx';
import { ChartLayer } from '../sheets/charts/chart-layer.tsx';
import { FormulaBar } from '../sheets/formula-bar.tsx';
import { GridSurface, type GridActions, type GridParts } from '../sheets/grid/grid-view.tsx';
import { ImageLayer } from '../sheets/panels/images.tsx';
import { PanelState } from '../sheets/panels/state.ts';
import { SessionContext } from '../sheets/session.ts';
import { Tabs } from '../sheets/tabs.tsx';
import { useLanguage, useText } from '../text/use-text.ts';
import { useTitle } from '../ui/page.tsx';
import { Empty, Failed, Lines } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { Toaster } from '../ui/toast.tsx';
import { isEnded } from './ask.ts';
import { openPublic, type PublicSession } from './public-session.ts';

/** The page of a public link. The secret is in the URL fragment, which browsers do not send to the server. */
export function PublicPage(): ReactNode {
  const text = useText();
  const secret = useSecret();
  const [opened, setOpened] = useState<{ secret: string; session: PublicSession }>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isLeft = false;
    setError(undefined);
    openPublic(secret).then(
      (session) => !isLeft && setOpened({ secret, session }),
      (openError: unknown) => !isLeft && setError(openError),
    );
    return () => {
      isLeft = true;
    };
  }, [secret, tries]);
  if (error !== undefined && isEnded(error))
    return (
      <main className="flex h-full bg-paper">
        <Empty icon={<Unlink />} title={text('linkEnded')}>
          {text('linkEndedHint')}
        </Empty>
      </main>
    );
  if (error !== undefined) return <Failed error={error} retry={() => setTries(tries + 1)} />;
  if (opened?.secret !== secret)
    return (
      <div className="h-full p-10" aria-busy>
        <Lines count={6} />
      </div>
    );
  return (
    <SessionContext value={opened.session}>
      <Shown key={secret} session={opened.session} onEnded={setError} />
      <Toaster />
    </SessionContext>
  );
}

function useSecret(): string {
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const follow = (): void => setSecret(location.hash.slice(1));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return secret;
}

/** Read-only: these actions do nothing. */
const actions: GridActions = { undo() {}, redo() {}, openMenu() {}, tell() {} };

function Shown({ session, onEnded }: { session: PublicSession; onEnded: (error: unknown) => void }): ReactNode {
  const text = useText();
  const language = useLanguage();
  const { title } = useStore(session.info);
  useTitle(title);
  const [parts, setParts] = useState<GridParts>();
  const [state] = useState(() => new PanelState());
  useEffect(() => session.watch(onEnded), [session, onEnded]);
  const overlays = useMemo(
    () => [<ChartLayer key="charts" state={state} />, <ImageLayer key="images" state={state} />],
    [state],
  );
  useEffect(() => parts?.typing.takeFocus(), [parts]);
  return (
    <main className="flex h-full flex-col bg-paper" data-sheet data-focus-scope>
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4">
        <h1 className="min-w-0 truncate font-serif text-lg font-semibold">{title}</h1>
        <span className="shrink-0 rounded-md bg-hover px-2 py-0.5 text-xs font-medium text-soft">
          {text('viewOnly')}
        </span>
        {session.expireTime > 0 && (
          <span className="hidden shrink-0 text-sm text-faint sm:inline">
            {text('linkEndsAt', { time: momentOf(session.expireTime, language) })}
          </span>
        )}
        <a href="/" rel="noreferrer" className="ml-auto shrink-0 text-sm text-soft hover:text-ink hover:underline">
          {text('poweredBy')}
        </a>
      </header>
      {parts ? <FormulaBar parts={parts} /> : <div className="h-8 shrink-0 border-b border-line" />}
      <div className="relative flex min-h-0 flex-1">
        <GridSurface actions={actions} onReady={setParts} />
      </div>
      <footer className="flex h-10 shrink-0 items-center border-t border-line bg-panel px-1.5" data-part>
        <Tabs />
      </footer>
      {parts && <ActiveCell parts={parts} />}
      {parts && overlays}
    </main>
  );
}
