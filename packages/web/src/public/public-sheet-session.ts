import { AuthorNames } from '../features/sheets/author-names.ts';
import {
  SheetSession,
  type Tab,
  type ToolInput,
  type ToolName,
  type ToolOutput,
} from '../features/sheets/sheet-session.ts';
import { SheetOutbox } from '../features/sheets/sheet-outbox.ts';
import { callWithLink, isLinkInvalid } from './public-link-client.ts';

interface PublicDocument {
  title: string;
  version: number;
  expire_time: number;
  sheets: {
    sheet_id: string;
    sheet_name: string;
    sheet_type: Tab['type'];
    row_count: number;
    col_count: number;
    tab_color?: string;
  }[];
}

/** Polling interval in milliseconds. The event stream is not available, because it needs a session or API key. */
const pollMs = 20_000;

/**
 * State of a spreadsheet that was opened through a public link. It is read-only, and its requests contain the link's
 * secret instead of a session or API key.
 */
export class PublicSheetSession extends SheetSession {
  readonly expireTime: number;
  readonly #secret: string;
  #seen: number;

  constructor(secret: string, opened: PublicDocument) {
    const tabs = tabsOf(opened);
    super(
      'public',
      { title: opened.title, role: 'viewer' },
      opened.version,
      tabs,
      tabs[0]!.id,
      new AuthorNames('', '', []),
      new SheetOutbox('', 'public'),
    );
    this.#secret = secret;
    this.#seen = opened.version;
    this.expireTime = opened.expire_time;
  }

  override read<Name extends ToolName>(
    tool: Name,
    input: ToolInput<Name>,
    signal?: AbortSignal,
  ): Promise<ToolOutput<Name>> {
    const { format: _, ...rest } = input as Record<string, unknown>;
    return callWithLink(this.#secret, tool, rest, signal);
  }

  override async readTabs(): Promise<void> {
    const opened = await callWithLink<PublicDocument>(this.#secret, 'open', {});
    if (opened.version === this.#seen) return;
    this.#seen = opened.version;
    this.info.set({ title: opened.title, role: 'viewer' });
    const tabs = tabsOf(opened);
    this.tabs.set(tabs);
    if (!tabs.some(({ id }) => id === this.current.get())) this.show(tabs[0]!.id);
    this.refresh();
  }

  /**
   * Polls for changes while the page is visible. Calls `ended` when the link is not valid anymore. Returns a function
   * that stops polling.
   */
  watch(ended: (error: unknown) => void): () => void {
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      this.readTabs().catch((error: unknown) => {
        if (isLinkInvalid(error)) ended(error);
        else console.info('looking for changes', error);
      });
    };
    const timer = setInterval(look, pollMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }
}

export async function openPublicSession(secret: string): Promise<PublicSheetSession> {
  return new PublicSheetSession(secret, await callWithLink<PublicDocument>(secret, 'open', {}));
}

function tabsOf({ sheets }: PublicDocument): Tab[] {
  return sheets.map((one) => ({
    id: one.sheet_id,
    name: one.sheet_name,
    type: one.sheet_type,
    rows: one.row_count,
    cols: one.col_count,
    isHidden: false,
    color: one.tab_color?.slice(-6),
  }));
}
