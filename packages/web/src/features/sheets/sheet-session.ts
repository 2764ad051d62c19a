import { createContext, use, useEffect, useRef, type ReactNode } from 'react';
import type { Client } from '@sheaf/client';
import type { LucideIcon } from 'lucide-react';
import { callSheet, currentSheaf, sheaf } from '../../lib/api-client.ts';
import { documentInput, tabsInput } from '../../lib/first-request-inputs.ts';
import { useTranslation, type MessageKey, type Translate } from '../../i18n/use-translation.ts';
import { Store } from '../../ui/store.ts';
import { singleCellRange, type Cell, type CellRange } from './cell-geometry.ts';
import { KeyQueue } from './key-queue.ts';
import { RevisionStream } from './revision-stream.ts';
import type { GridView } from './grid-view.ts';
import type { AuthorNames } from './author-names.ts';
import { affectsScope, type Revision } from './revision.ts';
import type { Selection } from './selection.ts';
import type { SheetOutbox } from './sheet-outbox.ts';
import { UndoStack, type UndoState } from './undo-stack.ts';
import { PresenceTracker } from './presence.ts';

export type { GridView, Pane } from './grid-view.ts';
export type { Revision } from './revision.ts';
export { selectedRanges, type Selection } from './selection.ts';

type SheetTools = Client['sheet'];
export type ToolName = keyof SheetTools;
/** Input of a server tool for spreadsheets, without the document id, because the session adds it. */
export type ToolInput<Name extends ToolName> = Omit<Parameters<SheetTools[Name]>[0], 'file_id' | 'file_url'>;
export type ToolOutput<Name extends ToolName> = Awaited<ReturnType<SheetTools[Name]>>;

/** A sub-sheet (tab) of the document. */
export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly type: 'worksheet' | 'smartsheet' | 'smartcanvas';
  readonly rows: number;
  readonly cols: number;
  readonly isHidden: boolean;
  /** Tab color as RRGGBB; undefined for no color. */
  readonly color: string | undefined;
}

export interface DocumentInfo {
  readonly title: string;
  readonly role: 'owner' | 'editor' | 'viewer';
}

/**
 * Where an action is available: in the toolbar, the toolbar's data menu, the document menu, or a group of the context
 * menu. Actions in `contextCells` are hidden if whole rows or columns are selected.
 */
export type ActionPlace = 'toolbar' | 'data' | 'document' | 'contextSort' | 'contextCells' | 'contextMore';

export interface Action {
  readonly id: MessageKey;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean;
  readonly pressed?: boolean | undefined;
  readonly places: readonly ActionPlace[];
}

interface OpenRequest {
  /** Element to open: the dropdown list of a validation rule, or a comment. */
  readonly what: 'list' | 'comment';
  readonly round: number;
}

export interface Panel {
  readonly name: string;
  readonly title: string;
  readonly render: () => ReactNode;
}

/**
 * An open spreadsheet document, through which the components of the page read and change it and share its selection and
 * view state. It lives as long as the page that shows the document. Components subscribe to its `Store`s, for example
 * with `useStore(session.selection)`.
 */
export class SheetSession {
  readonly fileId: string;
  readonly info: Store<DocumentInfo>;
  readonly tabs: Store<readonly Tab[]>;
  /** Id of the visible sub-sheet. */
  readonly current: Store<string>;
  readonly selection: Store<Selection> = new Store<Selection>({
    active: { row: 0, col: 0 },
    range: singleCellRange(0, 0),
    others: [],
  });
  readonly undoState: Store<UndoState>;
  /** Geometry of the grid; undefined while no grid is mounted. */
  readonly grid: Store<GridView | undefined> = new Store<GridView | undefined>(undefined);
  readonly panel: Store<string | undefined> = new Store<string | undefined>(undefined);
  /** Actions that the panels add to the toolbar and menus. Empty until the panels' code is loaded. */
  readonly actions = new Store<readonly Action[]>([]);
  readonly panels = new Store<readonly Panel[]>([]);
  /**
   * Render functions of overlays above the grid. They attach content to cells by rendering `<GridOverlay>`
   * (grid-overlay.tsx).
   */
  readonly overlays = new Store<readonly (() => ReactNode)[]>([]);
  /**
   * The latest request by a key press to open an element at the active cell: its dropdown list or its comment. Each
   * request increments `round`, so that a repeated request for the same cell counts as a new one.
   */
  readonly openRequest: Store<OpenRequest | undefined> = new Store<OpenRequest | undefined>(undefined);
  /** Key presses made while a sub-sheet is being created. They are replayed in the new sub-sheet. */
  readonly keyQueue = new KeyQueue();
  /** Edits that the server has not confirmed yet or has rejected. */
  readonly outbox: SheetOutbox;
  readonly presence: PresenceTracker = new PresenceTracker(this);
  readonly #people: AuthorNames;
  readonly #news: RevisionStream;
  readonly #undo: UndoStack;
  /** Incremented to make views reload their cells without a reported change of the document. */
  readonly stale = new Store(0);
  /** The cell that the grid scrolls to when this value changes. */
  readonly scrollTarget = new Store<Cell>({ row: 0, col: 0 });
  /** Last selection of each sub-sheet that is not visible now, by sheet id. */
  readonly #left = new Map<string, Selection>();
  #tabsDue = false;
  #tabsAsking = false;

  constructor(
    fileId: string,
    info: DocumentInfo,
    version: number,
    tabs: readonly Tab[],
    current: string,
    people: AuthorNames,
    outbox: SheetOutbox,
  ) {
    this.fileId = fileId;
    this.outbox = outbox;
    this.#people = people;
    this.info = new Store(info);
    this.tabs = new Store(tabs);
    this.current = new Store(current);
    this.#undo = new UndoStack({
      revert: (to) => this.#send('revert', { version: to }),
      undoRevision: (one) => this.#send('undo_revision', { version: one }),
      newestOfOthers: () => this.#news.newestOfOthers,
    });
    this.undoState = this.#undo.state;
    this.#news = new RevisionStream(fileId, version);
  }

  get mayWrite(): boolean {
    return this.info.get().role !== 'viewer';
  }

  /**
   * Returns for each axis whether the displayed sub-sheet is only a part of the actual sub-sheet. Always false here;
   * the session of a file preview overrides this method. If false, the grid adds empty rows or columns at the end.
   */
  truncatedAxes(_tab: string): { readonly rows: boolean; readonly cols: boolean } {
    return { rows: false, cols: false };
  }

  get tab(): Tab {
    return this.tabs.get().find((one) => one.id === this.current.get()) ?? this.tabs.get()[0]!;
  }

  get version(): number {
    return this.#news.version;
  }

  /**
   * Calls a server tool that only reads. If `isCurrent` is true, the response never comes from the service worker's
   * cache.
   */
  async read<Name extends ToolName>(
    tool: Name,
    input: ToolInput<Name>,
    signal?: AbortSignal,
    isCurrent = false,
  ): Promise<ToolOutput<Name>> {
    return (await callSheet(tool, { ...input, file_id: this.fileId }, { signal, isCurrent })).data as ToolOutput<Name>;
  }

  /**
   * Calls a server tool that changes the document. Writes are sent one after another, can be undone, and are reported
   * to the listeners of document changes before the promise resolves.
   *
   * While the server is unreachable, cell input and other writes that can be sent later are queued in the browser's
   * storage. Any other write rejects with UnreachableError. Other failures reject with SheafError, which
   * `showErrorToast` can show.
   */
  async write<Name extends ToolName>(tool: Name, input: ToolInput<Name>): Promise<ToolOutput<Name>> {
    return (await this.writeVersion(tool, input)).data;
  }

  /** Does the same as `write`, but also returns the document version that the write created, if it changed anything. */
  async writeVersion<Name extends ToolName>(
    tool: Name,
    input: ToolInput<Name>,
  ): Promise<{ data: ToolOutput<Name>; version: number | undefined }> {
    // The selection is stored with the write, because undoing the write restores it.
    const place = { selection: this.selection.get(), tab: this.current.get() };
    const { data, version } = await this.outbox.push({ tool, input, place, version: this.version });
    return { data: data as ToolOutput<Name>, version };
  }

  /**
   * Undoes the latest write and restores its selection. If that write was not sent yet, it is removed from the outbox
   * instead.
   */
  async undo(): Promise<void> {
    const withdrawn = this.outbox.withdraw();
    if (withdrawn) this.#show(withdrawn.place);
    else await this.outbox.runExclusive(async () => this.#show(await this.#undo.undo()));
  }

  /** Undoes the write that created this document version, even if this browser tab has made other writes since. */
  async undoWrite(version: number): Promise<void> {
    await this.outbox.runExclusive(async () => this.#show(await this.#undo.undoWrite(version)));
  }

  async redo(): Promise<void> {
    await this.outbox.runExclusive(async () => this.#show(await this.#undo.redo()));
  }

  /** Returns the author's name like `nameOf`, but fetches an unknown name first. */
  fetchName(revision: Pick<Revision, 'userId' | 'keyId'>): Promise<string> {
    return this.#people.fetchName(revision.userId, revision.keyId);
  }

  focusCells(): void {
    this.grid.get()?.focus();
  }

  /** Returns the name of a change's author: a user or an agent's API key. Returns '' if the name is unknown. */
  nameOf(revision: Pick<Revision, 'userId' | 'keyId'>): string {
    return this.#people.nameOf(revision.userId, revision.keyId);
  }

  /**
   * Calls the listener for all revisions (changes of the document) in order, including changes made in this browser
   * tab. Returns a function that unsubscribes.
   */
  onRevision(listener: (revision: Revision) => void): () => void {
    return this.#news.listen(listener);
  }

  /** Makes the grid reload its cells although no change of the document was reported. */
  refresh(): void {
    this.stale.set(this.stale.get() + 1);
  }

  /** Shows another sub-sheet (tab) with its last selection, or at its first cell if it was not shown before. */
  show(tab: string): void {
    if (tab === this.current.get() || !this.tabs.get().some((one) => one.id === tab)) return;
    this.#left.set(this.current.get(), this.selection.get());
    this.current.set(tab);
    const left = this.#left.get(tab);
    // Restore the selection only if it still exists, because rows or columns may have been deleted in the meantime.
    if (left && left.range.bottom < this.tab.rows && left.range.right < this.tab.cols) {
      this.select(left.range, left.active);
      this.scrollTo(left.active);
    } else this.select(singleCellRange(0, 0));
  }

  /** Selects a range without scrolling. By default, the active cell is the first cell of the range. */
  select(
    range: CellRange,
    active: Cell = { row: range.top, col: range.left },
    others: readonly CellRange[] = [],
  ): void {
    this.selection.set({ range, active, others });
  }

  /** Shows a sub-sheet, selects a range in it and scrolls to the range. */
  goTo(tab: string, range: CellRange): void {
    this.show(tab);
    this.select(range);
    this.scrollTo({ row: range.top, col: range.left });
  }

  scrollTo(cell: Cell): void {
    this.scrollTarget.set(cell);
  }

  /** Opens a panel on the right side, or closes it if it is open. */
  openPanel(name: string): void {
    this.panel.set(this.panel.get() === name ? undefined : name);
  }

  requestOpen(what: OpenRequest['what']): void {
    this.openRequest.set({ what, round: (this.openRequest.get()?.round ?? 0) + 1 });
  }

  closePanel(): void {
    this.panel.set(undefined);
  }

  /** Starts listening to the document's event stream. Returns a function that stops listening. */
  listen(): () => void {
    const stopNews = this.#news.start(
      () => this.#back(),
      (presence) => this.presence.receive(presence),
      () => {
        this.#undo.clear();
        this.#back();
      },
    );
    const stopPresence = this.presence.start();
    const stopOutbox = this.outbox.attachRevisions(this.#news);
    const stopSent = this.outbox.listen((event) => {
      if (event.kind !== 'sent' || event.answer.version === undefined) return;
      const { selection, tab } = event.entry.call.place;
      this.#undo.push(event.answer.version, selection, tab);
    });
    const stop = this.onRevision((revision) => {
      if (affectsScope(revision, 'layout', 'sheets', 'objects')) this.#tabsSoon();
    });
    return () => {
      stop();
      stopPresence();
      stopSent();
      stopOutbox();
      stopNews();
    };
  }

  /**
   * Sends queued edits and reloads cells and sub-sheets. Called after a reconnect to the server and after the document
   * was reset by restoring a backup.
   */
  #back(): void {
    this.outbox.retryNow();
    this.refresh();
    this.#tabsSoon();
  }

  /** Reloads the list of sub-sheets. Only one request runs at a time, even if many changes are reported. */
  #tabsSoon(): void {
    this.#tabsDue = true;
    if (this.#tabsAsking) return;
    this.#tabsAsking = true;
    const ask = async (): Promise<void> => {
      while (this.#tabsDue) {
        this.#tabsDue = false;
        await this.readTabs();
      }
    };
    ask()
      .catch((error: unknown) => console.info('sub-sheets', error))
      .finally(() => {
        this.#tabsAsking = false;
      });
  }

  async readTabs(): Promise<void> {
    const tabs = await readTabs(this.fileId, currentSheaf);
    const before = this.tabs.get();
    if (JSON.stringify(before) === JSON.stringify(tabs)) return;
    const place = before.findIndex((one) => one.id === this.current.get());
    this.tabs.set(tabs);
    if (tabs.some((one) => one.id === this.current.get())) return;
    const nearest = tabs[Math.max(0, Math.min(place, tabs.length) - 1)]!;
    this.show((nearest.isHidden ? (tabs.find((one) => !one.isHidden) ?? nearest) : nearest).id);
  }

  async readInfo(): Promise<void> {
    const { file } = await sheaf.manage.query_file_info({ file_id: this.fileId });
    this.info.set({ title: file.title, role: file.role });
  }

  #show(place: { selection: Selection; tab: string } | undefined): void {
    if (!place) return;
    this.show(place.tab);
    this.selection.set(place.selection);
    this.scrollTo(place.selection.active);
  }

  async #send(tool: ToolName, input: Record<string, unknown>): Promise<{ data: unknown; version: number | undefined }> {
    const sent = this.#news.beginWrite();
    try {
      const { data, version } = await callSheet(tool, { ...input, file_id: this.fileId });
      sent.answered(version, tool);
      return { data, version };
    } finally {
      sent.done();
    }
  }
}

export async function readTabs(fileId: string, client: Client): Promise<Tab[]> {
  const [{ sheets }, { sheets: properties = [] }] = await Promise.all([
    client.sheet.get_sheet_info(documentInput(fileId)),
    client.sheet.list_objects(tabsInput(fileId)),
  ]);
  const known = new Map(properties.map((one) => [one.sheet_id, one]));
  return sheets.map((one) => ({
    id: one.sheet_id,
    name: one.sheet_name,
    type: one.sheet_type,
    rows: one.row_count,
    cols: one.col_count,
    isHidden: (known.get(one.sheet_id)?.visibility ?? 'visible') !== 'visible',
    color: known.get(one.sheet_id)?.tab_color?.slice(-6),
  }));
}

export const SessionContext = createContext<SheetSession | null>(null);

export function useSession(): SheetSession {
  const session = use(SessionContext);
  if (!session) throw new Error('there is no open document here');
  return session;
}

/** Returns the session of the open document and the translation function, which most spreadsheet components need. */
export function useSheet(): { readonly session: SheetSession; readonly text: Translate } {
  return { session: useSession(), text: useTranslation() };
}

/** Calls the listener for every revision (change of the document) while the component is mounted. */
export function useRevisions(listener: (revision: Revision) => void): void {
  const session = useSession();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => session.onRevision((revision) => latest.current(revision)), [session]);
}
