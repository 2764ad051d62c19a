import { Link } from '@tanstack/react-router';
import { Ellipsis, Pin, RotateCw } from 'lucide-react';
import { useId, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { formatBytes, formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, ContextMenu, type MenuPoint } from '../../ui/menu.tsx';
import { Spinner } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { retryEntry } from './entry-actions.ts';
import type { ListSelection } from '../../ui/list-selection.ts';
import { startEntryDrag, useEntryDrop } from './entry-drag.ts';
import type { Column } from './list-view-options.ts';
import { useEntryMenu, useOpenEntry } from './entry-menu.tsx';
import { mediaKindOf } from './media-kinds.tsx';
import { entryId, isProcessing, type Entry } from './queries.ts';

interface Props {
  base: string;
  entry: Entry;
  mayEdit: boolean;
  chosen: ListSelection;
  columns: readonly Column[];
  onTag: (tag: string) => void;
}

/** Selector of the elements inside a row that handle clicks themselves; a click anywhere else opens the entry. */
const controls = 'a, button, input, [role=menu]';

export function EntryRow({ base, entry, mayEdit, chosen, columns, onTag }: Props): ReactNode {
  const text = useTranslation();
  const titleId = useId();
  const row = useRef<HTMLTableRowElement>(null);
  const [at, setAt] = useState<MenuPoint>();
  const isFolder = entry.folder_id !== undefined;
  const id = entryId(entry);
  const drop = useEntryDrop(base, id);
  const isChosen = chosen.ids.has(id);
  const open = useOpenEntry(base, entry);
  const menu = useEntryMenu(base, entry, mayEdit);
  const click = (event: MouseEvent): void => {
    const isSelecting = getSelection()?.isCollapsed === false;
    if (!event.defaultPrevented && !isSelecting && !(event.target as Element).closest(controls)) open();
  };
  return (
    <tr
      ref={row}
      draggable={mayEdit}
      onDragStart={(event) => startEntryDrag(event, { base, ids: isChosen ? [...chosen.ids] : [id] })}
      onClickCapture={(event) => {
        // A click with Ctrl or Shift selects the row, as in file managers; a plain click opens it.
        if (!mayEdit || !(event.ctrlKey || event.metaKey || event.shiftKey) || event.target instanceof HTMLInputElement)
          return;
        event.preventDefault();
        event.stopPropagation();
        chosen.toggle(id, event.shiftKey);
      }}
      onClick={click}
      onContextMenu={(event) => {
        event.preventDefault();
        // The context menu key reports no pointer position, so the menu opens at the row instead.
        const { left, top } = event.currentTarget.getBoundingClientRect();
        setAt(event.clientX === 0 ? { x: left + 48, y: top + 24 } : { x: event.clientX, y: event.clientY });
      }}
      {...(isFolder && mayEdit ? drop.handlers : {})}
      className={
        'group cursor-pointer border-b border-line/60 ' +
        `${isChosen ? 'bg-accent-soft' : 'hover:bg-panel'} ` +
        `${isFolder && drop.over ? 'outline-2 outline-accent' : ''}`
      }
    >
      {mayEdit && (
        <td className="w-9 pl-2">
          <input
            type="checkbox"
            className={
              'block size-4 accent-accent group-hover:opacity-100 focus-visible:opacity-100 ' +
              `pointer-coarse:opacity-100 ${chosen.ids.size > 0 ? '' : 'opacity-0'}`
            }
            aria-label={text('choose', { name: entry.title })}
            checked={isChosen}
            onChange={(event) => chosen.toggle(id, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
          />
        </td>
      )}
      <td className="px-2 py-2">
        <NameCell base={base} entry={entry} mayEdit={mayEdit} titleId={titleId} />
      </td>
      {columns.map((column) => (
        <td key={column} className="truncate px-2 py-2 text-sm text-faint max-sm:hidden">
          <Detail entry={entry} column={column} onTag={onTag} />
        </td>
      ))}
      <td className="w-11 pr-1 text-right">
        <Menu
          trigger={
            <IconButton
              label={text('actionsFor', { name: entry.title })}
              className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
            >
              <Ellipsis size={17} />
            </IconButton>
          }
          entries={menu.entries}
        />
        {at && (
          <ContextMenu of={row} at={at} labelledBy={titleId} entries={menu.entries} onClose={() => setAt(undefined)} />
        )}
        {menu.dialogs}
      </td>
    </tr>
  );
}

interface NameCellProps {
  base: string;
  entry: Entry;
  mayEdit: boolean;
  titleId: string;
}

function NameCell({ base, entry, mayEdit, titleId }: NameCellProps): ReactNode {
  const text = useTranslation();
  const isFolder = entry.folder_id !== undefined;
  const link = 'min-w-0 truncate rounded hover:underline';
  return (
    <div className="flex min-w-0 flex-col">
      <div className="flex min-w-0 items-center gap-3">
        <span className="shrink-0">{mediaKindOf(entry.media_type).icon(19)}</span>
        {isFolder ? (
          <Link
            id={titleId}
            to="/wiki/$base"
            params={{ base }}
            search={{ folder: entry.folder_id }}
            draggable={false}
            className={`${link} font-medium`}
          >
            {entry.title}
          </Link>
        ) : (
          <Link
            id={titleId}
            to="/wiki/$base/item/$id"
            params={{ base, id: entry.media_id! }}
            draggable={false}
            className={link}
          >
            {entry.title}
          </Link>
        )}
        {entry.is_top && <Pin size={13} className="shrink-0 text-faint" aria-label={text('pinned')} />}
        {isProcessing(entry) && <Spinner label={text(entry.state === 'queued' ? 'queued' : 'parsing')} />}
      </div>
      {entry.state === 'ready' && entry.reason !== undefined && (
        <p className="min-w-0 pl-8 text-sm text-faint">{entry.reason}</p>
      )}
      {entry.state === 'failed' && (
        <p className="flex items-center gap-2 pl-8 text-sm text-danger">
          <span className="min-w-0">{entry.reason}</span>
          {mayEdit && (
            <Button
              variant="quiet"
              className="h-7 text-sm"
              onClick={() => retryEntry(base, entry, text).catch(showErrorToast)}
            >
              <RotateCw size={13} /> {text('tryAgain')}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

function Detail({ entry, column, onTag }: { entry: Entry; column: Column; onTag: (tag: string) => void }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  switch (column) {
    case 'kind':
      return text(mediaKindOf(entry.media_type).label);
    case 'size':
      if (entry.folder_id !== undefined)
        return text('itemCount', { count: (entry.file_number ?? 0) + (entry.folder_number ?? 0) });
      return entry.file_size ? formatBytes(entry.file_size, language) : '';
    case 'changed':
      return formatTimeAgo(entry.update_time, language);
    case 'tags':
      return (
        <span className="flex gap-1 overflow-hidden">
          {entry.tags?.map((tag) => (
            <button
              key={tag}
              type="button"
              onClick={() => onTag(tag)}
              className="max-w-32 shrink-0 truncate rounded-full bg-hover px-2 py-px text-xs text-soft hover:text-ink"
            >
              {tag}
            </button>
          ))}
        </span>
      );
  }
}
