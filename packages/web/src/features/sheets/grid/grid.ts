import { Store } from '../../../ui/store.ts';
import {
  singleCellRange,
  rangeContains,
  rangeBetween,
  rangesEqual,
  type Cell,
  type CellRange,
  type PixelRect,
} from '../cell-geometry.ts';
import type { GridView, Pane, Revision, Selection, SheetSession } from '../sheet-session.ts';
import { isAgentKey, colorIdOf } from '../presence.ts';
import { zoom, zoomFactor } from '../zoom.ts';
import { EditState } from './edit-state.ts';
import { showPendingEdits, addPendingEdits } from './show-pending-edits.ts';
import { shiftCell, shiftRange, shiftsOfSheet, shiftUnlessDeleted } from './shift-range.ts';
import { ChangeMarks, type ChangeMark } from './change-marks.ts';
import { GridModel } from './grid-model.ts';
import { forgetMeasuredTexts } from './text-measurement.ts';
import { paintGrid } from './paint-grid.ts';
import { buildScene, type Scene } from './scene.ts';
import { readTheme, type GridTheme } from './grid-theme.ts';
import { Viewport } from './viewport.ts';
import { wheelScroll } from './wheel-scroll.ts';

interface GridElements {
  readonly root: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly scroller: HTMLElement;
  readonly spacer: HTMLElement;
  readonly panes: Readonly<Record<Pane, HTMLElement>>;
}

/**
 * The displayed grid. Paints the cells of the current sub-sheet, stores the scroll position and converts between cells
 * and pixels. Keyboard and pointer handling are in separate files.
 */
export class Grid implements GridView {
  readonly session: SheetSession;
  readonly viewport: Viewport;
  readonly editing = new EditState();
  readonly marks = new ChangeMarks();
  /**
   * The visible highlights of recent changes. Components subscribe to it to render again when the highlights change.
   */
  readonly shownMarks = new Store<readonly ChangeMark[]>([]);
  /** Incremented whenever the displayed content changes, but not on scrolling. */
  readonly changes = new Store(0);
  model: GridModel;
  theme: GridTheme;
  filling: CellRange | undefined;
  copied: { readonly tab: string; readonly range: CellRange; readonly cut: boolean; readonly text: string } | undefined;
  guide: Scene['guide'];
  /**
   * Column in which the user started to fill a row with Tab. Valid only while `at`, the cell that Tab selected, is the
   * active cell.
   */
  rowBegun: { readonly col: number; readonly at: Cell } | undefined;
  /** True after Escape. The next Tab then moves the focus out of the grid. */
  isLeft = false;
  readonly #elements: GridElements;
  readonly #context: CanvasRenderingContext2D;
  readonly #listeners = new Set<() => void>();
  readonly #places = new Map<string, { x: number; y: number; selection: Selection }>();
  readonly #failed: (error: unknown) => void;
  readonly #stops: (() => void)[] = [];
  #frame = 0;
  #expectedTop = 0;
  #expectedLeft = 0;
  #markTimer: ReturnType<typeof setTimeout> | undefined;
  #scrollWhenReady: Cell | undefined;

  constructor(session: SheetSession, elements: GridElements, failed: (error: unknown) => void) {
    this.session = session;
    this.#elements = elements;
    this.#failed = failed;
    this.#context = elements.canvas.getContext('2d', { alpha: false })!;
    this.theme = readTheme(elements.root);
    this.model = this.#newModel();
    this.viewport = new Viewport(() => this.model);
    this.#listen();
    elements.root.style.zoom = String(zoomFactor());
    addPendingEdits(this.session, this.model);
    this.resize();
  }

  #newModel(): GridModel {
    return new GridModel(
      this.session,
      this.session.current.get(),
      (layout) => this.#modelChanged(layout),
      this.#failed,
    );
  }

  #listen(): void {
    const { session } = this;
    const { root, scroller } = this.#elements;
    const on = <Name extends keyof HTMLElementEventMap>(
      element: HTMLElement,
      name: Name,
      run: (event: HTMLElementEventMap[Name]) => void,
      options?: AddEventListenerOptions,
    ): void => {
      element.addEventListener(name, run, options);
      this.#stops.push(() => element.removeEventListener(name, run, options));
    };
    let shown = session.current.get();
    let before = session.selection.get();
    this.#stops.push(
      session.current.subscribe(() => {
        const next = session.current.get();
        if (next === shown) return;
        this.#places.set(shown, { x: this.viewport.scrollX, y: this.viewport.scrollY, selection: before });
        shown = next;
        this.#showTab();
      }),
      session.selection.subscribe(() => {
        before = session.selection.get();
        this.draw();
        this.changes.set(this.changes.get() + 1);
      }),
      session.onRevision((revision) => this.#revised(revision)),
      session.stale.subscribe(() => this.model.refresh()),
      session.scrollTarget.subscribe(() => {
        const { row, col } = session.scrollTarget.get();
        this.reveal(singleCellRange(row, col));
      }),
      this.editing.state.subscribe(() => this.draw()),
      session.presence.others.subscribe(() => this.draw()),
      zoom.subscribe(() => this.#zoomed()),
      showPendingEdits(session, () => this.model),
      session.outbox.state.subscribe(() => this.#modelChanged(false)),
    );
    const fontLoaded = (): void => {
      forgetMeasuredTexts();
      this.draw();
    };
    document.fonts.addEventListener('loadingdone', fontLoaded);
    this.#stops.push(() => document.fonts.removeEventListener('loadingdone', fontLoaded));
    on(root, 'wheel', (event) => this.#wheel(event), { passive: false });
    on(scroller, 'scroll', () => this.#scrolled());
    const sizes = new ResizeObserver(() => {
      this.resize();
      // A phone's on-screen keyboard shrinks the grid, so scroll the edited cell into view again.
      const edit = this.editing.state.get();
      if (edit && edit.tab === this.model.sheetId) this.reveal(singleCellRange(edit.row, edit.col));
    });
    sizes.observe(root);
    const look = new MutationObserver(() => this.#retheme());
    look.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'lang'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const retheme = (): void => this.#retheme();
    dark.addEventListener('change', retheme);
    this.#stops.push(
      () => sizes.disconnect(),
      () => look.disconnect(),
      () => dark.removeEventListener('change', retheme),
    );
  }

  close(): void {
    for (const stop of this.#stops) stop();
    clearTimeout(this.#markTimer);
    cancelAnimationFrame(this.#frame);
    this.model.close();
  }

  #zoomed(): void {
    this.#elements.root.style.zoom = String(zoomFactor());
    this.resize();
  }

  #retheme(): void {
    this.theme = readTheme(this.#elements.root);
    this.draw();
  }

  #showTab(): void {
    this.model.close();
    this.model = this.#newModel();
    addPendingEdits(this.session, this.model);
    this.filling = undefined;
    this.guide = undefined;
    const place = this.#places.get(this.session.current.get());
    this.#scrollWhenReady = undefined;
    this.viewport.scrollX = place?.x ?? 0;
    this.viewport.scrollY = place?.y ?? 0;
    this.#layoutChanged();
  }

  #revised(revision: Revision): void {
    if (!revision.own) this.#follow(revision);
    this.#shiftCopied(revision);
    this.model.refresh();
    if (revision.own || revision.range === undefined) return;
    this.#mark(revision.range, revision).catch(this.#failed);
  }

  async #mark(range: string, revision: Revision): Promise<void> {
    const name = await this.session.fetchName(revision);
    const tool = isAgentKey(revision.keyId) ? revision.tool : undefined;
    this.marks.add(range, { who: colorIdOf(revision), name, tool }, Date.now());
    this.draw();
  }

  /** Moves the selection and the edited cell along when another client inserts, deletes or moves rows or columns. */
  #follow(revision: Revision): void {
    for (const shift of shiftsOfSheet(revision, this.model.sheetId)) {
      const { range, active, others } = this.session.selection.get();
      const selected = shiftRange(range, shift);
      const cell = shiftCell(active, shift);
      this.session.select(
        selected,
        rangeContains(selected, cell.row, cell.col) ? cell : { row: selected.top, col: selected.left },
        others.map((one) => shiftRange(one, shift)),
      );
    }
    // Also move the edited cell if its sub-sheet is not displayed. The user can show another sub-sheet while editing,
    // to select cells for the formula.
    let edit = this.editing.state.get();
    for (const shift of edit ? shiftsOfSheet(revision, edit.tab) : []) edit = { ...edit!, ...shiftCell(edit!, shift) };
    if (edit !== this.editing.state.get()) this.editing.state.set(edit);
  }

  /** Moves the copied range along when anyone inserts, deletes or moves rows or columns. */
  #shiftCopied(revision: Revision): void {
    for (const shift of this.copied ? shiftsOfSheet(revision, this.copied.tab) : []) {
      const range = this.copied && shiftUnlessDeleted(this.copied.range, shift);
      this.copied = this.copied && range && { ...this.copied, range };
    }
  }

  #modelChanged(layout: boolean): void {
    if (layout) this.#layoutChanged();
    else this.draw();
    this.changes.set(this.changes.get() + 1);
  }

  #layoutChanged(): void {
    this.viewport.resize(this.viewport.width, this.viewport.height);
    const { spacer } = this.#elements;
    spacer.style.width = `${this.viewport.scrolledWidth}px`;
    spacer.style.height = `${this.viewport.scrolledHeight}px`;
    if (this.model.ready && this.#scrollWhenReady) {
      const cell = this.#scrollWhenReady;
      this.#scrollWhenReady = undefined;
      this.reveal(singleCellRange(cell.row, cell.col));
    }
    this.#syncScroller();
    this.#ask();
    this.draw();
  }

  resize(): void {
    const { scroller, canvas } = this.#elements;
    const width = scroller.clientWidth;
    const height = scroller.clientHeight;
    const ratio = devicePixelRatio * zoomFactor();
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    this.viewport.resize(width, height);
    this.#layoutChanged();
    // Paint immediately instead of in the next frame, because resizing clears the canvas.
    this.#paint();
  }

  #ask(): void {
    const [body, ...frozen] = this.viewport.panes().map((one) => one.range);
    this.model.setVisible(body!, frozen);
  }

  #wheel(event: WheelEvent): void {
    const { x, y } = wheelScroll(event, this.viewport.height);
    this.scrollBy(x, y);
  }

  scrollBy(x: number, y: number): void {
    this.scrollToPixel(this.viewport.scrollX + x, this.viewport.scrollY + y);
  }

  scrollToPixel(x: number, y: number): void {
    if (!this.viewport.scrollTo(x, y)) return;
    this.#syncScroller();
    this.#ask();
    this.draw();
  }

  /**
   * Handles scrolling by scroll bar or touch. Ignores scroll events that the grid caused by setting the scroll
   * position.
   */
  #scrolled(): void {
    const { scroller } = this.#elements;
    if (
      Math.abs(scroller.scrollTop - this.#expectedTop) < 1.5 &&
      Math.abs(scroller.scrollLeft - this.#expectedLeft) < 1.5
    )
      return;
    this.#expectedTop = scroller.scrollTop;
    this.#expectedLeft = scroller.scrollLeft;
    if (!this.viewport.scrollTo(scroller.scrollLeft, scroller.scrollTop * this.viewport.ratio)) return;
    this.#ask();
    this.draw();
  }

  #syncScroller(): void {
    const { scroller } = this.#elements;
    const { viewport } = this;
    scroller.scrollTop = viewport.ratio === 0 ? 0 : viewport.scrollY / viewport.ratio;
    scroller.scrollLeft = viewport.scrollX;
    this.#expectedTop = scroller.scrollTop;
    this.#expectedLeft = scroller.scrollLeft;
  }

  /** Scrolls a range into view. If the layout is not loaded yet, the grid scrolls as soon as it is loaded. */
  reveal(range: CellRange): void {
    if (!this.model.ready) {
      this.#scrollWhenReady = { row: range.top, col: range.left };
      return;
    }
    const { x, y } = this.viewport.placeFor(range);
    this.scrollToPixel(x, y);
  }

  draw(): void {
    this.#frame ||= requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.viewport.width === 0 || this.viewport.height === 0) return;
    paintGrid(buildScene(this), this.#context, devicePixelRatio * zoomFactor());
    for (const listener of this.#listeners) listener();
    this.#tellMarks();
  }

  #tellMarks(): void {
    const now = Date.now();
    const shown = this.marks.on(this.model.sheetId, now);
    const before = this.shownMarks.get();
    if (shown.length > 0 || before.length > 0) this.shownMarks.set(shown);
    const due = this.marks.due(now);
    clearTimeout(this.#markTimer);
    if (due !== undefined) this.#markTimer = setTimeout(() => this.draw(), due);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get visible(): CellRange {
    return this.viewport.visible;
  }

  focus(): void {
    this.#elements.root.querySelector<HTMLElement>('[data-grid-field]')?.focus({ preventScroll: true });
  }

  get scrolled(): { x: number; y: number } {
    return { x: this.viewport.scrollX, y: this.viewport.scrollY };
  }

  rectOf(range: CellRange): PixelRect {
    return this.viewport.rectOf(range);
  }

  paneOf(cell: Cell): Pane {
    return this.viewport.paneOf(cell);
  }

  paneElement(pane: Pane): HTMLElement {
    return this.#elements.panes[pane];
  }

  paneRect(pane: Pane): PixelRect {
    return this.viewport.paneRect(pane);
  }

  /** Selects a cell, or the merged cell that contains it. If `show` is true, scrolls it into view. */
  selectCell(cell: Cell, show = true): void {
    const merge = this.model.mergeAt(cell.row, cell.col);
    const at = merge ? { row: merge.top, col: merge.left } : cell;
    this.session.select(merge ?? singleCellRange(at.row, at.col), at);
    if (show) this.reveal(singleCellRange(at.row, at.col));
  }

  /** Adds a cell to the selection. If the cell is already selected as a separate range, it is deselected instead. */
  addCell(cell: Cell): void {
    const { range, others } = this.session.selection.get();
    const merge = this.model.mergeAt(cell.row, cell.col);
    const added = merge ?? singleCellRange(cell.row, cell.col);
    const kept = [...others, range].filter((one) => !rangesEqual(one, added));
    const last = kept.at(-1);
    if (kept.length <= others.length && last)
      this.session.select(last, { row: last.top, col: last.left }, kept.slice(0, -1));
    else this.session.select(added, { row: added.top, col: added.left }, kept);
  }

  /**
   * Extends the current range from the active cell to another cell, and includes the merged cells that the range
   * touches.
   */
  extendTo(cell: Cell, show = true): void {
    const { active, others } = this.session.selection.get();
    this.session.select(this.model.expandToMerges(rangeBetween(active, cell)), active, others);
    if (show) this.reveal(singleCellRange(cell.row, cell.col));
  }
}
