import { startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { sheaf } from '../../../lib/api-client.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { GridCommands } from '../grid-commands.ts';
import { rangeContains, parseRange } from '../cell-geometry.ts';
import { isLineSelected, selectLines } from '../selection-ranges.ts';
import type { ActionContext } from '../sheet-actions.ts';
import { addTab } from '../sheet-tabs.tsx';
import { selectedRanges, useSession, type Pane, type SheetSession } from '../sheet-session.ts';
import { zoomFactor } from '../zoom.ts';
import { CellEditor } from './cell-editor.tsx';
import { copiedRange, copyFromServer, copyLoadedCells, copyRanges, maxCopied } from './clipboard-content.ts';
import { FormulaCompletion } from './formula-completion.ts';
import { Grid } from './grid.ts';
import { LongPress } from './long-press.ts';
import { MarkerLabels } from './marker-labels.tsx';
import { AccessibleTable } from './accessible-table.ts';
import { PointerHandler, cursorAt, hitTest } from './pointer-handler.ts';
import { EditController } from './edit-controller.ts';

export interface GridActions extends Pick<ActionContext, 'undo' | 'redo' | 'tell'> {
  openMenu(x: number, y: number): void;
}

/**
 * Panes (frozen and scrolling areas of the grid) in stacking order, from bottom to top. `cut` is the CSS class that
 * clips the elements that lie over the cells of a pane, such as charts. Elements that start in a frozen pane are not
 * clipped where they continue in the next pane.
 */
const panes: readonly Pane[] = ['body', 'top', 'left', 'corner'];
const cut: Readonly<Record<Pane, string>> = {
  body: 'overflow-clip',
  top: 'overflow-x-clip',
  left: 'overflow-y-clip',
  corner: '',
};

/**
 * Renders the canvas with scroll bars, the cell editor, the labels and other elements over the cells. Passes the Grid
 * that it creates to `onReady`, together with the functions that act on it. Passes undefined when the grid is closed.
 */
export function GridSurface({
  actions,
  onReady,
}: {
  actions: GridActions;
  onReady: (parts: ActionContext | undefined) => void;
}): ReactNode {
  const session = useSession();
  const text = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const layers = useRef<Partial<Record<Pane, HTMLDivElement>>>({});
  const [parts, setParts] = useState<ActionContext>();
  const latest = useRef({ actions, onReady });
  latest.current = { actions, onReady };

  useLayoutEffect(() => {
    const grid = new Grid(
      session,
      {
        root: root.current!,
        canvas: canvas.current!,
        scroller: scroller.current!,
        spacer: spacer.current!,
        panes: layers.current as Record<Pane, HTMLElement>,
      },
      showErrorToast,
    );
    const commands = new GridCommands(grid, showErrorToast);
    const completion = new FormulaCompletion(async () => (await sheaf.sheet.list_functions({})).functions);
    const made: ActionContext = {
      grid,
      commands,
      typing: new EditController(grid, commands, completion, showErrorToast),
      undo: () => latest.current.actions.undo(),
      redo: () => latest.current.actions.redo(),
      tell: (what) => latest.current.actions.tell(what),
      openMenu: () => {
        const rect = grid.rectOf(session.selection.get().range);
        const { left, height } = grid.viewport;
        latest.current.actions.openMenu(Math.max(left, rect.x) + 12, Math.min(height - 20, rect.y + rect.height));
      },
      addTab: () => {
        if (session.mayWrite) addTab(session).catch(showErrorToast);
      },
      fail: showErrorToast,
    };
    const seen = new AccessibleTable(grid, mirror.current!);
    let placed = '';
    const placePanes = (): void => {
      const now = JSON.stringify([grid.paneRect('corner'), grid.paneRect('body')]);
      if (now === placed) return;
      placed = now;
      for (const pane of panes) {
        const { x, y, width, height } = grid.paneRect(pane);
        const element = layers.current[pane]!;
        element.style.transform = `translate(${x}px, ${y}px)`;
        element.style.width = `${width}px`;
        element.style.height = `${height}px`;
      }
    };
    placePanes();
    const stop = grid.subscribe(placePanes);
    session.grid.set(grid);
    // The cells are already painted, so the editor, overlays and toolbar are rendered at low priority.
    startTransition(() => {
      setParts(made);
      latest.current.onReady(made);
    });
    return () => {
      stop();
      seen.close();
      grid.close();
      session.grid.set(undefined);
      latest.current.onReady(undefined);
    };
  }, [session]);

  return (
    <div
      ref={root}
      className="relative min-h-0 min-w-0 flex-1 overflow-hidden bg-raised text-[0.867rem] select-none"
      data-grid
      data-part
    >
      <canvas ref={canvas} className="absolute top-0 left-0" aria-hidden />
      <div
        ref={scroller}
        className="scroll-thin absolute inset-0 overflow-scroll outline-none"
        tabIndex={-1}
        aria-hidden
        data-scroller
      >
        <div ref={spacer} />
      </div>
      {panes.map((pane) => (
        <div
          key={pane}
          ref={(element) => {
            if (element) layers.current[pane] = element;
          }}
          className={`pointer-events-none absolute top-0 left-0 ${cut[pane]}`}
        />
      ))}
      <div ref={mirror} role="grid" aria-label={text('cells')} className="sr-only" />
      {parts && (
        <>
          <Pointers parts={parts} actions={actions} surface={root} />
          <Editor tools={parts} />
          <MarkerLabels grid={parts.grid} />
          <Overlays />
        </>
      )}
    </div>
  );
}

function Overlays(): ReactNode {
  const session = useSession();
  return useStore(session.overlays).map((Draw, index) => <Draw key={index} />);
}

function Editor({ tools }: { tools: ActionContext }): ReactNode {
  const { grid, commands } = tools;
  const text = useTranslation();
  const clipboard = useMemo(
    () => ({
      copy(event: ClipboardEvent, cut: boolean): void {
        event.preventDefault();
        const ranges = selectedRanges(grid.session.selection.get()).map((one) => copiedRange(grid, one));
        if (ranges.length > 1) {
          const joined = cut ? undefined : copyRanges(grid, ranges);
          if (!joined || !event.clipboardData) {
            showErrorToast(new Error(text(cut ? 'cutSeveral' : 'copySeveral')));
            return;
          }
          commands.pasting.clearCopied();
          event.clipboardData.setData('text/plain', joined.text);
          event.clipboardData.setData('text/html', joined.html);
          return;
        }
        const range = ranges[0]!;
        const source = { tab: grid.session.current.get(), range, cut: cut && grid.session.mayWrite };
        const copied = copyLoadedCells(grid, range);
        if (copied && event.clipboardData) {
          event.clipboardData.setData('text/plain', copied.text);
          event.clipboardData.setData('text/html', copied.html);
          commands.pasting.setCopied({ ...source, text: copied.text });
          return;
        }
        if ((range.bottom - range.top + 1) * (range.right - range.left + 1) > maxCopied || !window.isSecureContext) {
          showErrorToast(new Error(text('tooMuchToCopy', { count: maxCopied.toLocaleString() })));
          return;
        }
        const later = copyFromServer(grid.session, source.tab, range);
        later.then((all) => commands.pasting.setCopied({ ...source, text: all })).catch(showErrorToast);
        navigator.clipboard
          .write([new ClipboardItem({ 'text/plain': later.then((all) => new Blob([all], { type: 'text/plain' })) })])
          .catch(showErrorToast);
      },
      paste(event: ClipboardEvent): void {
        event.preventDefault();
        if (event.clipboardData) commands.pasting.paste(event.clipboardData);
      },
    }),
    [grid, commands, text],
  );
  return <CellEditor tools={tools} clipboard={clipboard} />;
}

/**
 * Opens a cell's web or mail link in a new tab, or selects the range of a link within the document. Ignores other
 * links, such as `javascript:`, because they are unsafe.
 */
export function openLink(session: SheetSession, url: string): void {
  if (url.startsWith('#')) {
    const [tab = '', name = ''] = url.slice(1).split('!');
    const target = session.tabs.get().find((one) => one.id === tab || one.name === tab);
    const range = parseRange(name === '' ? tab : name);
    if (range) session.goTo(target?.id ?? session.current.get(), range);
    else if (target) session.show(target.id);
    return;
  }
  if (/^(https?:\/\/|mailto:)/i.test(url)) window.open(url, '_blank', 'noopener,noreferrer');
}

function Pointers({
  parts,
  actions,
  surface,
}: {
  parts: ActionContext;
  actions: GridActions;
  surface: React.RefObject<HTMLDivElement | null>;
}): ReactNode {
  const { grid, commands, typing } = parts;
  useEffect(() => {
    const element = surface.current!;
    const target = element.querySelector<HTMLElement>('[data-scroller]')!;
    const pointer = new PointerHandler({ grid, commands, typing, openLink: (url) => openLink(grid.session, url) });
    const at = (event: MouseEvent): { x: number; y: number } => {
      const box = element.getBoundingClientRect();
      return { x: (event.clientX - box.left) / zoomFactor(), y: (event.clientY - box.top) / zoomFactor() };
    };
    const press = new LongPress((place) => openMenu(place));
    const inside = ({ x, y }: { x: number; y: number }): boolean => x < grid.viewport.width && y < grid.viewport.height;
    const down = (event: PointerEvent): void => {
      const place = at(event);
      if (event.pointerType === 'touch' && inside(place)) press.begin(place);
      if (event.button !== 0 || event.pointerType === 'touch' || !inside(place)) return;
      event.preventDefault();
      if (pointer.down(place.x, place.y, event)) target.setPointerCapture(event.pointerId);
      if (!typing.isEditing) typing.takeFocus();
    };
    const move = (event: PointerEvent): void => {
      const { x, y } = at(event);
      press.move({ x, y });
      if (pointer.isDragging) pointer.move(x, y);
      else target.style.cursor = inside({ x, y }) ? cursorAt(grid, x, y) : '';
    };
    const up = (): void => {
      press.end();
      pointer.up();
    };
    // On a touch screen, dragging must scroll. A cell is therefore selected by the click event after a tap, not by the
    // press.
    const click = (event: PointerEvent | MouseEvent): void => {
      if (!('pointerType' in event) || event.pointerType !== 'touch' || press.wasLong) return;
      const { x, y } = at(event);
      pointer.down(x, y, event);
      pointer.up();
      typing.takeFocus();
    };
    // Prevents the context menu from losing the focus when the finger is lifted after a long press.
    const lift = (event: TouchEvent): void => {
      if (press.wasLong && event.cancelable) event.preventDefault();
    };
    const double = (event: MouseEvent): void => {
      const { x, y } = at(event);
      pointer.double(x, y);
    };
    const menu = (event: MouseEvent): void => {
      event.preventDefault();
      if ('pointerType' in event && event.pointerType === 'touch') press.fire();
      else openMenu(at(event));
    };
    const openMenu = ({ x, y }: { x: number; y: number }): void => {
      if (typing.isEditing) typing.commit();
      const place = hitTest(grid, x, y);
      if (place.kind === 'cell') {
        const { row, col } = place.cell;
        if (!selectedRanges(grid.session.selection.get()).some((one) => rangeContains(one, row, col)))
          grid.selectCell(place.cell, false);
      } else if (place.kind === 'header' || place.kind === 'edge') {
        const { axis, index } = place;
        if (!isLineSelected(grid, axis, index)) selectLines(grid, axis, index, index);
      }
      actions.openMenu(x, y);
    };
    const listening = new AbortController();
    const { signal } = listening;
    target.addEventListener('pointerdown', down, { signal });
    target.addEventListener('pointermove', move, { signal });
    target.addEventListener('pointerup', up, { signal });
    target.addEventListener('pointercancel', up, { signal });
    target.addEventListener('click', click, { signal });
    target.addEventListener('dblclick', double, { signal });
    target.addEventListener('contextmenu', menu, { signal });
    target.addEventListener('touchend', lift, { passive: false, signal });
    return () => {
      press.end();
      listening.abort();
    };
  }, [grid, commands, typing, actions, surface]);
  return null;
}
