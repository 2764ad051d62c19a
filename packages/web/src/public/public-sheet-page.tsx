import { Unlink } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { formatDateTime } from '../lib/format.ts';
import { ActiveCellAnnouncer } from '../features/sheets/active-cell-announcer.tsx';
import { ChartLayer } from '../features/sheets/charts/chart-layer.tsx';
import { FormulaBar } from '../features/sheets/formula-bar.tsx';
import { GridSurface, type GridActions } from '../features/sheets/grid/grid-surface.tsx';
import { ImageLayer } from '../features/sheets/panels/image-layer.tsx';
import { KeptObjectsLayer } from '../features/sheets/panels/kept-objects-layer.tsx';
import { PanelState } from '../features/sheets/panels/panel-state.ts';
import type { ActionContext } from '../features/sheets/sheet-actions.ts';
import { SessionContext } from '../features/sheets/sheet-session.ts';
import { SheetTabs } from '../features/sheets/sheet-tabs.tsx';
import { useLanguage, useTranslation } from '../i18n/use-translation.ts';
import { useDocumentTitle } from '../ui/page-layout.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../ui/status-placeholders.tsx';
import { useStore } from '../ui/store.ts';
import { Toaster } from '../ui/toast.tsx';
import { isLinkInvalid } from './public-link-client.ts';
import { openPublicSession, type PublicSheetSession } from './public-sheet-session.ts';

/**
 * The page of a public link to a spreadsheet. The link's secret is in the URL fragment, which browsers do not send to
 * the server.
 */
export function PublicSheetPage(): ReactNode {
  const text = useTranslation();
  const secret = useSecret();
  const [opened, setOpened] = useState<{ secret: string; session: PublicSheetSession }>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isLeft = false;
    setError(undefined);
    openPublicSession(secret).then(
      (session) => !isLeft && setOpened({ secret, session }),
      (openError: unknown) => !isLeft && setError(openError),
    );
    return () => {
      isLeft = true;
    };
  }, [secret, tries]);
  if (error !== undefined && isLinkInvalid(error))
    return (
      <main className="flex h-full bg-paper">
        <EmptyState icon={<Unlink />} title={text('linkEnded')}>
          {text('linkEndedHint')}
        </EmptyState>
      </main>
    );
  if (error !== undefined) return <ErrorState error={error} retry={() => setTries(tries + 1)} />;
  if (opened?.secret !== secret)
    return (
      <div className="h-full p-10" aria-busy>
        <SkeletonLines count={6} />
      </div>
    );
  return (
    <SessionContext value={opened.session}>
      <PublicSheet key={secret} session={opened.session} onEnded={setError} />
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

/** Actions that the spreadsheet grid requires. They do nothing, because the page is read-only. */
const noActions: GridActions = { undo() {}, redo() {}, openMenu() {}, tell() {} };

interface PublicSheetProps {
  session: PublicSheetSession;
  onEnded: (error: unknown) => void;
}

function PublicSheet({ session, onEnded }: PublicSheetProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const { title } = useStore(session.info);
  useDocumentTitle(title);
  const [parts, setParts] = useState<ActionContext>();
  const [state] = useState(() => new PanelState());
  useEffect(() => session.watch(onEnded), [session, onEnded]);
  const overlays = useMemo(
    () => [
      <KeptObjectsLayer key="kept" />,
      <ChartLayer key="charts" state={state} />,
      <ImageLayer key="images" state={state} />,
    ],
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
            {text('linkEndsAt', { time: formatDateTime(session.expireTime, language) })}
          </span>
        )}
        <a href="/" rel="noreferrer" className="ml-auto shrink-0 text-sm text-soft hover:text-ink hover:underline">
          {text('poweredBy')}
        </a>
      </header>
      {parts ? <FormulaBar parts={parts} /> : <div className="h-8 shrink-0 border-b border-line" />}
      <div className="relative flex min-h-0 flex-1">
        <GridSurface actions={noActions} onReady={setParts} />
      </div>
      <footer className="flex h-10 shrink-0 items-center border-t border-line bg-panel px-1.5" data-part>
        <SheetTabs />
      </footer>
      {parts && <ActiveCellAnnouncer parts={parts} />}
      {parts && overlays}
    </main>
  );
}
