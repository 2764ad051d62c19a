import { createContext, use, useEffect, useRef, type ReactNode } from 'react';
import type { Client } from '@sheaf/client';
import { callSheet, sheaf } from '../lib/client.ts';
import { Store } from '../ui/store.ts';
import { cellRange, type Cell, type CellRange } from './geometry.ts';
import { HeldKeys } from './held-keys.ts';
import { News } from './news.ts';
import type { GridView } from './panes.ts';
import type { People } from './people.ts';
import { readTabs } from './read-tabs.ts';
import { Registry } from './registry.ts';
import { changes, type Revision } from './revision.ts';
import type { Selection } from './selection.ts';
import type { SheetOutbox } from './sheet-outbox.ts';
import { UndoStack, type UndoState } from './undo.ts';
import { WhoIsHere } from './who-is-here.ts';

export type { GridView, Pane } from './panes.ts';
export type { Revision } from './revision.ts';
export { rangesOf, type Selection } from './selection.ts';

type SheetTools = Client['sheet'];
export type ToolName = keyof SheetTools;
/** What a tool takes, without the document: the session fills that in. */
export type ToolInput<Name extends ToolName> = Omit<Parameters<SheetTools[Name]>[0], 'file_id' | 'file_url'>;
export type ToolOutput<Name extends ToolName> = Awaited<ReturnType<SheetTools[Name]>>;

/** A sub-sheet. */
export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly type: 'worksheet' | 'smartsheet' | 'smartcanvas';
  readonly rows: number;
  readonly cols: number;
  readonly isHidden: boolean;
  /** RRGGBB. */
  readonly color: string | undefined;
}

export interface DocumentInfo {
  readonly title: string;
  readonly role: 'owner' | 'editor' | 'viewer';
}

/** An entry of a menu or a button of the tool bar. */
export interface Action {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Shown as pressed, in the tool bar. */
  readonly pressed?: boolean;
  /** Stands in the tool bar's menu of that name instead of beside it. */
  readonly menu?: 'data';
}

/** What the context menu was opened on. */
export interface MenuPlace {
  readonly kind: 'cells' | 'rows' | 'cols';
  readonly selection: Selection;
}

interface Wish {
  /** The list of values, or a comment. */
  readonly what: 'list' | 'comment';
  readonly round: number;
}

/** What shows in the slot at the right hand of the grid. */
export interface Panel {
  readonly name: string;
  readonly title: string;
  readonly render: () => ReactNode;
}

/** `cells`: values and looks; `layout`: sizes, merges, freeze; `tabs`: sub-sheets; `info`: title and role. */
export type Stale = 'cells' | 'layout' | 'tabs' | 'info';

/**
 * One open document: what is shown, what is selected, and the only way to read and write it. Lives as long as the page of
 * the document is open. Everything that changes is a `Store`: watch it with `useStore(session.selection)`.
 */
export class SheetSession {
  readonly fileId: string;
  readonly info: Store<DocumentInfo>;
  /** In the order of the tabs. */
  readonly tabs: Store<readonly Tab[]>;
  /** The id of the sub-sheet that is shown. */
  readonly current: Store<string>;
  readonly selection: Store<Selection> = new Store<Selection>({
    active: { row: 0, col: 0 },
    range: cellRange(0, 0),
    others: [],
  });
  /** What Ctrl+Z and Ctrl+Y would do. */
  readonly undoState: Store<UndoState>;
  /** Set while the grid is mounted. */
  readonly grid: Store<GridView | undefined> = new Store<GridView | undefined>(undefined);
  /** The name of the open panel. */
  readonly panel: Store<string | undefined> = new Store<string | undefined>(undefined);
  /** Buttons at the end of the tool bar. */
  readonly toolbar = new Registry<Action>();
  /** Entries of the document's own menu, beside its title. */
  readonly documentMenu = new Registry<Action>();
  /** Groups of entries of the grid's context menu; asked whenever it opens. */
  readonly contextMenu = new Registry<(place: MenuPlace) => readonly Action[]>();
  readonly panels = new Registry<Panel>();
  /** Drawn above the grid: render `<Floating>` (floating.tsx) to stand on cells and follow scrolling. */
  readonly overlays = new Registry<() => ReactNode>();
  /** What a key asked for at the active cell; `round` grows with each time. */
  readonly wish: Store<Wish | undefined> = new Store<Wish | undefined>(undefined);
  /** Keys for a sub-sheet that is being made. */
  readonly heldKeys = new HeldKeys();
  /** What was written and is not confirmed, and what was refused. */
  readonly outbox: SheetOutbox;
  /** Others who have the document open. */
  readonly whoIsHere: WhoIsHere = new WhoIsHere(this);
  readonly #people: People;
  readonly #news: News;
  readonly #undo: UndoStack;
  readonly #staleListeners = new Set<(what: Stale) => void>();
  readonly #scrollListeners = new Set<(cell: Cell) => void>();
  /** What was selected in each sub-sheet when another one was shown. */
  readonly #left = new Map<string, Selection>();
  #tabsDue = false;
  #tabsAsking = false;

  constructor(
    fileId: string,
    info: DocumentInfo,
    version: number,
    tabs: readonly Tab[],
    current: string,
    people: People,
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
    this.#news = new News(fileId, version);
  }

  get mayWrite(): boolean {
    return this.info.get().role !== 'viewer';
  }

  /** Whether a sub-sheet goes on beyond what is shown of it. Empty rows and columns follow where it does not. */
  goesOn(_tab: string): { readonly rows: boolean; readonly cols: boolean } {
    return { rows: false, cols: false };
  }

  get tab(): Tab {
    return this.tabs.get().find((one) => one.id === this.current.get()) ?? this.tabs.get()[0]!;
  }

  /** The newest version this page knows of. */
  get version(): number {
    return this.#news.version;
  }

  /** Asks a tool that reads. */
  async read<Name extends ToolName>(
    tool: Name,
    input: ToolInput<Name>,
    signal?: AbortSignal,
  ): Promise<ToolOutput<Name>> {
    return (await callSheet(tool, { ...input, file_id: this.fileId }, { signal })).data as ToolOutput<Name>;
  }

  /**
   * Calls a tool that writes; writes of one page go one after the other, in the order they were asked for. It can be undone,
   * and whoever listens to revisions hears of it before this resolves. Cells that are typed wait for a server that is away, in
   * the browser's storage; anything else rejects with Unreachable. Throws SheafError: give it to `sayError`.
   */
  async write<Name extends ToolName>(tool: Name, input: ToolInput<Name>): Promise<ToolOutput<Name>> {
    // Undoing leads back to where it was asked for.
    const place = { selection: this.selection.get(), tab: this.current.get() };
    const { data } = await this.outbox.push({ tool, input, place, version: this.version });
    return data as ToolOutput<Name>;
  }

  /** What was not sent yet is just not sent. */
  async undo(): Promise<void> {
    const withdrawn = this.outbox.withdraw();
    if (withdrawn) this.#show(withdrawn.place);
    else await this.outbox.between(async () => this.#show(await this.#undo.undo()));
  }

  async redo(): Promise<void> {
    await this.outbox.between(async () => this.#show(await this.#undo.redo()));
  }

  /** The same, asked for when it is not known yet. */
  nameSoon(revision: Pick<Revision, 'userId' | 'keyId'>): Promise<string> {
    return this.#people.nameSoon(revision.userId, revision.keyId);
  }

  focusCells(): void {
    this.grid.get()?.focus();
  }

  /** Who made a revision: a person's name, or that of the key an agent uses. May be empty. */
  nameOf(revision: Pick<Revision, 'userId' | 'keyId'>): string {
    return this.#people.nameOf(revision.userId, revision.keyId);
  }

  /** Hears every revision, own ones too, in order. Answers how to stop. */
  onRevision(listener: (revision: Revision) => void): () => void {
    return this.#news.listen(listener);
  }

  /** Says that something must be read again, beyond what follows from revisions. */
  refresh(what: Stale): void {
    for (const listener of this.#staleListeners) listener(what);
  }

  onRefresh(listener: (what: Stale) => void): () => void {
    this.#staleListeners.add(listener);
    return () => this.#staleListeners.delete(listener);
  }

  /** Shows another sub-sheet where it was left, or from its first cell. */
  show(tab: string): void {
    if (tab === this.current.get() || !this.tabs.get().some((one) => one.id === tab)) return;
    this.#left.set(this.current.get(), this.selection.get());
    this.current.set(tab);
    const left = this.#left.get(tab);
    // It may have lost rows or columns meanwhile.
    if (left && left.range.bottom < this.tab.rows && left.range.right < this.tab.cols) {
      this.select(left.range, left.active);
      this.scrollTo(left.active);
    } else this.select(cellRange(0, 0));
  }

  /** Selects a range; the active cell is its first unless another one of it is given. Does not scroll. */
  select(
    range: CellRange,
    active: Cell = { row: range.top, col: range.left },
    others: readonly CellRange[] = [],
  ): void {
    this.selection.set({ range, active, others });
  }

  /** Selects a place and brings it into view, on whatever sub-sheet it is. */
  goTo(tab: string, range: CellRange): void {
    this.show(tab);
    this.select(range);
    this.scrollTo({ row: range.top, col: range.left });
  }

  scrollTo(cell: Cell): void {
    for (const listener of this.#scrollListeners) listener(cell);
  }

  /** For the grid. */
  onScrollTo(listener: (cell: Cell) => void): () => void {
    this.#scrollListeners.add(listener);
    return () => this.#scrollListeners.delete(listener);
  }

  /** Opens the panel of that name at the right hand; the same name again closes it. */
  openPanel(name: string): void {
    this.panel.set(this.panel.get() === name ? undefined : name);
  }

  wishFor(what: Wish['what']): void {
    this.wish.set({ what, round: (this.wish.get()?.round ?? 0) + 1 });
  }

  closePanel(): void {
    this.panel.set(undefined);
  }

  /** Hears the document's events. Answers how to stop. */
  listen(): () => void {
    const stopNews = this.#news.start(
      () => this.#back(),
      (presence) => this.whoIsHere.hear(presence),
      () => {
        this.#undo.clear();
        this.#back();
      },
    );
    const stopPresence = this.whoIsHere.start();
    const stopOutbox = this.outbox.hearWith(this.#news);
    const stopSent = this.outbox.listen((event) => {
      if (event.kind !== 'sent' || event.answer.version === undefined) return;
      const { selection, tab } = event.entry.call.place;
      this.#undo.wrote(event.answer.version, selection, tab);
    });
    const stop = this.onRevision((revision) => {
      if (changes(revision, 'layout', 'sheets', 'objects')) this.#tabsSoon();
    });
    return () => {
      stop();
      stopPresence();
      stopSent();
      stopOutbox();
      stopNews();
    };
  }

  /** The server answers again: what was missed is read, and what was kept goes there. */
  #back(): void {
    this.outbox.wake();
    this.refresh('cells');
    this.#tabsSoon();
  }

  /** However many revisions come, tabs are asked for one at a time. */
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
    const tabs = await readTabs(this.fileId);
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
    const sent = this.#news.sending();
    try {
      const { data, version } = await callSheet(tool, { ...input, file_id: this.fileId });
      sent.answered(version, tool);
      return { data, version };
    } finally {
      sent.done();
    }
  }
}

export const SessionContext = createContext<SheetSession | null>(null);

/** The open document. */
export function useSession(): SheetSession {
  const session = use(SessionContext);
  if (!session) throw new Error('there is no open document here');
  return session;
}

/** Hears every revision while the component is shown. */
export function useRevisions(listener: (revision: Revision) => void): void {
  const session = useSession();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => session.onRevision((revision) => latest.current(revision)), [session]);
}
