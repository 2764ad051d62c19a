import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Bot, Ellipsis, History, RotateCcw, User } from 'lucide-react';
import { useDeferredValue, useMemo, type ReactNode } from 'react';
import { SheafError, sheaf } from '../../../lib/api-client.ts';
import { errorCodes } from '../../../lib/error-codes.ts';
import { formatDateTime, formatTimeAgo } from '../../../lib/format.ts';
import { useCurrentUser } from '../../../shell/current-user.ts';
import { useLanguage, useTranslation, type Translate, type MessageKey } from '../../../i18n/use-translation.ts';
import { confirmAction } from '../../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { parseSheetRange, rangeName } from '../cell-geometry.ts';
import { userColor } from '../user-color.ts';
import { useRevisions, useSession, useSheet, type ToolOutput } from '../sheet-session.ts';
import { showUndoToast } from '../undo-toast.ts';
import { isAgentKey, colorIdOf } from '../presence.ts';
import { useDebouncedRefetch } from './live-query.ts';

type Entry = ToolOutput<'get_history'>['revisions'][number];

const pageSize = 40;
const cellsShown = 5;
/** Number of history entries that are painted at once when the panel opens. The others are painted right after. */
const firstShown = 6;

/** Lists the latest revisions (changes) of the document by all authors, each with an undo button. */
export function HistoryPanel(): ReactNode {
  const { session, text } = useSheet();
  const queryKey = ['sheet', session.fileId, 'get_history'];
  const history = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      session.read('get_history', { cursor: pageParam, limit: pageSize, cells: cellsShown }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => (last.is_end ? undefined : last.next_cursor),
    staleTime: 0,
  });
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => sheaf.account.list_keys({}), staleTime: 60_000 });
  const keyNames = useMemo(() => new Map((keys.data?.keys ?? []).map((key) => [key.key_id, key.name])), [keys.data]);
  useRevisions(useDebouncedRefetch(queryKey));
  if (history.error) return <ErrorState error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <SkeletonLines count={6} className="h-12" />;
  const entries = history.data.pages.flatMap((page) => page.revisions);
  if (entries.length === 0) return <EmptyState icon={<History />} title={text('noHistory')} />;
  return (
    <div className="flex flex-col gap-2">
      <Entries entries={entries} keyNames={keyNames} />
      {history.hasNextPage && (
        <Button variant="quiet" onClick={() => void history.fetchNextPage()}>
          {text('loadMore')}
        </Button>
      )}
    </div>
  );
}

interface EntriesProps {
  entries: readonly Entry[];
  keyNames: ReadonlyMap<string, string>;
}

/**
 * Shows the entries. The first entries are painted at once and the remaining ones right after, so that the panel opens
 * fast.
 */
function Entries({ entries, keyNames }: EntriesProps): ReactNode {
  const text = useTranslation();
  const myId = useCurrentUser()?.user_id;
  const shown = useDeferredValue(entries, entries.slice(0, firstShown));
  const newest = entries[0]?.version ?? 0;
  return (
    <ol aria-label={text('history')} className="flex flex-col">
      {shown.map((entry) => (
        <Row key={entry.version} entry={entry} newest={newest} keyNames={keyNames} isMe={entry.user_id === myId} />
      ))}
    </ol>
  );
}

/**
 * Maps the key of each message in the history to the server operations whose changes it describes. For a change by
 * another operation, the history shows the operation's name.
 */
const toolsByWords = {
  didCreate: ['create_file'],
  didWrite: ['set_cell_value', 'set_range_value', 'set_range_value_by_csv', 'enter_cells'],
  didAppend: ['append_rows'],
  didCopy: ['copy_range'],
  didReplace: ['replace'],
  didClear: ['clear_range_cells', 'clear_range_style', 'clear_range_all'],
  didStyle: ['set_cell_style', 'set_border', 'clear_border'],
  didMerge: ['merge_cell', 'unmerge_cell'],
  didInsert: ['insert_dimension', 'insert_range'],
  didDelete: ['delete_dimension', 'delete_range'],
  didMove: ['move_dimension'],
  didResize: ['set_dimension_size'],
  didHide: ['set_dimension_visible'],
  didFreeze: ['set_freeze', 'unset_freeze'],
  didFilter: ['set_filter', 'update_filter', 'remove_filter'],
  didSort: ['sort_range'],
  didLink: ['set_link', 'clear_link'],
  didImage: ['insert_image', 'update_image', 'delete_image'],
  didAddChart: ['add_chart'],
  didChangeChart: ['update_chart'],
  didDeleteChart: ['delete_chart'],
  didPivot: ['add_pivot_table', 'update_pivot_table', 'remove_pivot_table'],
  didProtect: ['add_protect_range', 'update_protect_range', 'delete_protect_range'],
  didAddTab: ['add_sheet', 'copy_sheet'],
  didDeleteTab: ['delete_sheet'],
  didRenameTab: ['rename_sheet'],
  didMoveTab: ['move_sheet'],
  didBatch: ['batch'],
  didRevert: ['revert'],
  didUndo: ['undo_revision'],
} as const satisfies Partial<Record<MessageKey, readonly string[]>>;

const words = new Map<string, MessageKey>(
  Object.entries(toolsByWords).flatMap(([key, tools]) => tools.map((tool) => [tool, key as MessageKey] as const)),
);

function wordsFor(entry: Entry, text: Translate): string {
  if (entry.reverted_to !== undefined) return text('didRevertTo', { version: entry.reverted_to });
  const key = words.get(entry.tool);
  return key ? text(key) : entry.tool;
}

function Row({
  entry,
  newest,
  keyNames,
  isMe,
}: {
  entry: Entry;
  newest: number;
  keyNames: ReadonlyMap<string, string>;
  isMe: boolean;
}): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const session = useSession();
  const tabs = useStore(session.tabs);
  const place = entry.range === undefined ? undefined : parseSheetRange(entry.range);
  const tab = place && tabs.find((one) => one.id === place.sheetId);
  const agent = isMe ? keyNames.get(entry.key_id) : undefined;
  const later = newest - entry.version;
  const back = async (version: number): Promise<void> => {
    const lost = newest - version;
    const sure =
      lost <= 1 ||
      (await confirmAction({
        title: text('revertTitle', { version }),
        explanation: text('revertHint', { count: lost }),
        action: text('revert'),
      }));
    if (!sure) return;
    const written = await session.writeVersion('revert', { version });
    showUndoToast(session, text, text('revertedTo', { version }), written.version);
  };
  /**
   * Undoes this revision (change) and keeps later ones. If that conflicts with later revisions, offers to restore the
   * version of the document before this revision.
   */
  const takeBack = async (): Promise<void> => {
    if (later === 0) return back(entry.version - 1);
    try {
      const { version } = await session.writeVersion('undo_revision', { version: entry.version });
      showUndoToast(session, text, text('tookBack', { version: entry.version }), version);
    } catch (error) {
      if (!(error instanceof SheafError) || error.code !== errorCodes.sheet.conflict) throw error;
      await back(entry.version - 1);
    }
  };
  return (
    <li className="group flex gap-2.5 rounded-lg px-1 py-2 hover:bg-hover/60">
      <span
        className="mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full text-[light-dark(white,black)]"
        style={{ backgroundColor: userColor(colorIdOf({ userId: entry.user_id, keyId: entry.key_id })) }}
        aria-hidden
      >
        {isAgentKey(entry.key_id) ? <Bot size={14} /> : <User size={14} />}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex items-baseline gap-2">
          <span
            className="truncate font-medium"
            title={agent === undefined ? undefined : text('youByKey', { name: agent })}
          >
            {agent ?? (isMe ? text('youName') : entry.user_name)}
          </span>
          <time
            className="shrink-0 text-sm text-faint"
            dateTime={new Date(entry.at).toISOString()}
            title={formatDateTime(entry.at, language)}
          >
            {formatTimeAgo(entry.at, language)}
          </time>
        </span>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-faint">
          <span className="text-soft">{wordsFor(entry, text)}</span>
          {place && tab && (
            <button
              type="button"
              className="max-w-full truncate rounded bg-hover px-1.5 font-mono text-xs text-ink hover:underline"
              onClick={() => session.goTo(place.sheetId, place.range)}
            >
              {tabs.length > 1 ? `${tab.name}!` : ''}
              {rangeName(place.range)}
            </button>
          )}
          <code className="truncate text-xs">{entry.tool}</code>
        </span>
        {entry.cells && <Changes cells={entry.cells} />}
      </div>
      {session.mayWrite && (
        <span className="flex shrink-0 items-start">
          {entry.version > 1 && (
            <IconButton
              label={text('takeBack', { version: entry.version })}
              onClick={() => void takeBack().catch(showErrorToast)}
            >
              <RotateCcw size={15} />
            </IconButton>
          )}
          <Menu
            trigger={
              <IconButton label={text('actionsFor', { name: text('sheetVersion', { version: entry.version }) })}>
                <Ellipsis size={15} />
              </IconButton>
            }
            entries={[
              {
                label: text('restoreVersion', { version: entry.version }),
                disabled: later === 0,
                run: () => void back(entry.version).catch(showErrorToast),
              },
              {
                label: text('revertEntry', { version: entry.version }),
                disabled: entry.version <= 1,
                run: () => void back(entry.version - 1).catch(showErrorToast),
              },
            ]}
          />
        </span>
      )}
    </li>
  );
}

function Changes({ cells }: { cells: NonNullable<Entry['cells']> }): ReactNode {
  const text = useTranslation();
  const shown = (value: string): ReactNode =>
    value === '' ? <span className="text-faint italic">{text('blank')}</span> : value;
  return (
    <ul className="flex flex-col gap-px pt-0.5 text-xs">
      {cells.map(({ sheet_id, address, before, after }) => (
        <li key={`${sheet_id} ${address}`} className="flex min-w-0 items-baseline gap-1.5">
          <span className="shrink-0 font-mono text-soft">{address}</span>
          <del className="max-w-28 truncate text-danger no-underline" title={before}>
            {shown(before)}
          </del>
          <span aria-hidden className="text-faint">
            →
          </span>
          <ins className="max-w-28 truncate text-accent no-underline" title={after}>
            {shown(after)}
          </ins>
        </li>
      ))}
    </ul>
  );
}
