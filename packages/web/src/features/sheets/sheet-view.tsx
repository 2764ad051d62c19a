import { Ellipsis, Users } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { whenIdle } from '../../lib/when-idle.ts';
import { useKeyShortcut } from '../../lib/keyboard-shortcuts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useDocumentTitle } from '../../ui/page-layout.tsx';
import { useStore } from '../../ui/store.ts';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { ActiveCellAnnouncer } from './active-cell-announcer.tsx';
import { FormulaBar } from './formula-bar.tsx';
import { SaveStatus, RejectedEditsBar } from './save-status.tsx';
import { persistCellDraft } from './cell-draft.ts';
import type { GridCommands } from './grid-commands.ts';
import { GridSurface, type GridActions } from './grid/grid-surface.tsx';
import type { ActionContext } from './sheet-actions.ts';
import { SessionContext, useSheet, type SheetSession } from './sheet-session.ts';
import { SidePanel } from './side-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { SheetTabs } from './sheet-tabs.tsx';
import { toMenuEntry } from './tool-menu.tsx';
import { Toolbar } from './toolbar.tsx';
import { UndoConflict } from './undo-stack.ts';
import { installFocusCycling } from './focus-cycling.ts';
import { ZoomMenu } from './zoom-menu.tsx';
import { WriterFlags } from './writer-flags.tsx';
import { zoomFactor } from './zoom.ts';
import { lazyComponent, useLazyComponent, type LazyComponent } from '../../ui/lazy.tsx';

// Loaded on demand, because these components are not needed before the document is shown.
const PresenceAvatars = lazyComponent(async () => (await import('./presence-avatars.tsx')).PresenceAvatars);
const ShortcutsDialog = lazyComponent(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
interface PanelsProps {
  readonly commands: GridCommands;
}

const panels: LazyComponent<PanelsProps> = {
  load: async () => (await import('./panels/register-panels.tsx')).PanelRegistration,
};
const GridContextMenu = lazyComponent(async () => (await import('./grid-context-menu.tsx')).GridContextMenu);

export function SheetView({ session }: { session: SheetSession }): ReactNode {
  useEffect(() => session.listen(), [session]);
  return (
    <SessionContext value={session}>
      <SheetLayout />
    </SessionContext>
  );
}

function SheetLayout(): ReactNode {
  const { session, text } = useSheet();
  const { title } = useStore(session.info);
  useDocumentTitle(title);
  const [parts, setParts] = useState<ActionContext>();
  const [isListing, setListing] = useState(false);
  const [menu, setMenu] = useState<{ x: number; y: number }>();
  const fail = useCallback(
    (error: unknown) => showErrorToast(error instanceof UndoConflict ? new Error(text('othersWrote')) : error),
    [text],
  );
  const actions = useMemo(
    (): GridActions => ({
      undo: () => void session.undo().catch(fail),
      redo: () => void session.redo().catch(fail),
      openMenu: (x, y) => setMenu({ x: x * zoomFactor(), y: y * zoomFactor() }),
      tell: (what) => {
        if (what === 'shortcuts') setListing(true);
        else showToast(text(session.outbox.state.get().pendingCount > 0 ? 'keptNotSaved' : 'savedAlready'));
      },
    }),
    [session, fail, text],
  );
  useEffect(() => {
    if (!parts) return undefined;
    parts.typing.takeFocus();
    return persistCellDraft(parts);
  }, [parts]);
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => installFocusCycling(whole.current!), []);
  useKeyShortcut('?', () => setListing(true));
  const Panels = usePanels(parts !== undefined);
  return (
    <div ref={whole} className="flex h-full flex-col bg-paper" data-sheet data-focus-scope>
      <TitleBar />
      <RejectedEditsBar />
      {parts ? <Toolbar tools={parts} /> : <div className="h-10 shrink-0 border-b border-line" />}
      {parts ? <FormulaBar parts={parts} /> : <div className="box-content h-8 shrink-0 border-b border-line" />}
      <div className="relative flex min-h-0 flex-1 flex-col sm:flex-row">
        <div className="relative flex min-h-0 min-w-0 flex-1">
          <GridSurface actions={actions} onReady={setParts} />
          {parts && menu && (
            <GridContextMenu
              key={`${menu.x} ${menu.y}`}
              tools={parts}
              place={menu}
              onClose={() => setMenu(undefined)}
            />
          )}
        </div>
        <SidePanel />
      </div>
      <footer
        className="flex h-10 shrink-0 items-center justify-between gap-3 border-t border-line bg-panel px-1.5 typing:hidden"
        data-part
      >
        <SheetTabs />
        <div className="flex shrink-0 items-center">
          {parts && <StatusBar parts={parts} />}
          {parts && <ZoomMenu />}
        </div>
      </footer>
      {parts && <ActiveCellAnnouncer parts={parts} />}
      {parts && Panels && <Panels commands={parts.commands} />}
      {isListing && <ShortcutsDialog onClose={() => setListing(false)} />}
    </div>
  );
}

/**
 * Returns the component that registers the panels and overlays. Its code is loaded when the browser is idle after `due`
 * becomes true.
 */
function usePanels(due: boolean): ComponentType<PanelsProps> | undefined {
  const [isDue, setDue] = useState(false);
  useEffect(() => (due ? whenIdle(() => setDue(true)) : undefined), [due]);
  return useLazyComponent(panels, { isDue });
}

function TitleBar(): ReactNode {
  const { session, text } = useSheet();
  const { title, role } = useStore(session.info);
  const entries = useStore(session.actions).filter(({ places }) => places.includes('document'));
  const share = entries.find(({ id }) => id === 'shareDots');
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4">
      <h1 className="min-w-0 truncate font-serif text-lg font-semibold">{title}</h1>
      {entries.length > 0 && (
        <Menu
          align="start"
          trigger={
            <IconButton label={text('actionsFor', { name: title })} className="size-7">
              <Ellipsis size={17} />
            </IconButton>
          }
          entries={entries.map(toMenuEntry)}
        />
      )}
      <SaveStatus />
      <WriterFlags />
      {role === 'viewer' && (
        <span className="rounded-md bg-warn-soft px-2 py-0.5 text-xs font-medium text-warn">{text('readOnly')}</span>
      )}
      <div className="ml-auto flex shrink-0 items-center gap-3">
        <PresenceAvatars />
        {share && (
          <Button className="h-8" onClick={share.run}>
            <Users size={15} /> {text('share')}
          </Button>
        )}
      </div>
    </header>
  );
}
