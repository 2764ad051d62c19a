import { Link } from '@tanstack/react-router';
import { Ellipsis, FileUp, FolderInput, Pencil, Pin, PinOff, RotateCw, Tag, Trash2 } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { isFileType } from '../../../src/ports/media-number.ts';
import { sizeOf, timeAgo } from '../lib/format.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Spinner } from '../ui/states.tsx';
import { sayError } from '../ui/toast.tsx';
import { deleteEntries, pinFolder, renameEntry, retryEntry, tagEntry } from './actions.ts';
import type { Chosen } from './chosen.ts';
import { dragEntry, useDropOn } from './drag.ts';
import { acceptedFiles, kindOf } from './media.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { idOf, isBusy, refreshBase, type Entry } from './queries.ts';
import { replaceFile } from './upload.ts';

export function EntryRow({
  base,
  entry,
  mayEdit,
  chosen,
}: {
  base: string;
  entry: Entry;
  mayEdit: boolean;
  chosen: Chosen;
}): ReactNode {
  const text = useText();
  const isFolder = entry.folder_id !== undefined;
  const id = idOf(entry);
  const drop = useDropOn(base, id);
  const isChosen = chosen.ids.has(id);
  return (
    <li
      draggable={mayEdit}
      onDragStart={(event) => dragEntry(event, { base, ids: isChosen ? [...chosen.ids] : [id] })}
      onClickCapture={(event) => {
        // As in the browser's own lists; a plain click opens.
        if (!mayEdit || !(event.ctrlKey || event.metaKey || event.shiftKey) || event.target instanceof HTMLInputElement)
          return;
        event.preventDefault();
        event.stopPropagation();
        chosen.toggle(id, event.shiftKey);
      }}
      {...(isFolder && mayEdit ? drop.handlers : {})}
      className={
        'group flex min-h-13 items-center gap-3 rounded-xl px-2 ' +
        `${isChosen ? 'bg-accent-soft' : 'hover:bg-panel'} ` +
        `${isFolder && drop.over ? 'outline-2 outline-accent' : ''}`
      }
    >
      {mayEdit && (
        <input
          type="checkbox"
          className={
            'size-4 shrink-0 accent-accent group-hover:opacity-100 focus-visible:opacity-100 ' +
            `pointer-coarse:opacity-100 ${chosen.ids.size > 0 ? '' : 'opacity-0'}`
          }
          aria-label={text('choose', { name: entry.title })}
          checked={isChosen}
          onChange={(event) => chosen.toggle(id, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      )}
      <span className={`shrink-0 ${isFolder ? 'text-accent' : 'text-faint'}`}>{kindOf(entry.media_type).icon(19)}</span>
      {isFolder ? <FolderName base={base} entry={entry} /> : <ItemName base={base} entry={entry} mayEdit={mayEdit} />}
      {mayEdit && <EntryMenu base={base} entry={entry} />}
    </li>
  );
}

function FolderName({ base, entry }: { base: string; entry: Entry }): ReactNode {
  const text = useText();
  return (
    <Link
      to="/wiki/$base"
      params={{ base }}
      search={{ folder: entry.folder_id }}
      draggable={false}
      className="flex min-w-0 flex-1 items-center gap-2 rounded py-2 font-medium hover:underline"
    >
      <span className="truncate">{entry.title}</span>
      {entry.is_top && <Pin size={13} className="shrink-0 text-faint" aria-label={text('pinned')} />}
      <span className="ml-auto shrink-0 pl-3 text-sm font-normal text-faint">
        {text('itemCount', { count: (entry.file_number ?? 0) + (entry.folder_number ?? 0) })}
      </span>
    </Link>
  );
}

function ItemName({ base, entry, mayEdit }: { base: string; entry: Entry; mayEdit: boolean }): ReactNode {
  const text = useText();
  const language = useLanguage();
  return (
    <div className="flex min-w-0 flex-1 flex-col py-1.5">
      <div className="flex items-center gap-2">
        <Link
          to="/wiki/$base/item/$id"
          params={{ base, id: entry.media_id! }}
          draggable={false}
          className="min-w-0 truncate rounded hover:underline"
        >
          {entry.title}
        </Link>
        {entry.tags?.map((tag) => (
          <span
            key={tag}
            className="hidden max-w-32 shrink-0 truncate rounded-full bg-hover px-2 py-px text-xs text-soft sm:inline"
          >
            {tag}
          </span>
        ))}
        <span className="ml-auto shrink-0 pl-3 text-sm text-faint">
          {isBusy(entry) ? (
            <Spinner label={text(entry.state === 'queued' ? 'queued' : 'parsing')} />
          ) : (
            <span className="hidden sm:inline">
              {entry.file_size ? `${sizeOf(entry.file_size, language)} · ` : ''}
              {timeAgo(entry.update_time, language)}
            </span>
          )}
        </span>
      </div>
      {entry.state === 'ready' && entry.reason !== undefined && (
        <p className="min-w-0 text-sm text-faint">{entry.reason}</p>
      )}
      {entry.state === 'failed' && (
        <p className="flex items-center gap-2 text-sm text-danger">
          <span className="min-w-0">{entry.reason}</span>
          {mayEdit && (
            <Button look="quiet" className="h-7 text-sm" onClick={() => retryEntry(base, entry, text).catch(sayError)}>
              <RotateCw size={13} /> {text('tryAgain')}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

function EntryMenu({ base, entry }: { base: string; entry: Entry }): ReactNode {
  const text = useText();
  const [moving, setMoving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isFolder = entry.folder_id !== undefined;
  const isFile = !isFolder && isFileType(entry.media_type);
  const replace = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    await replaceFile(idOf(entry), base, file, undefined);
    await refreshBase(base);
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={text('actionsFor', { name: entry.title })}
            className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis size={17} />
          </IconButton>
        }
        entries={[
          {
            label: text('rename'),
            icon: <Pencil size={15} />,
            run: () => void renameEntry(base, entry, text).catch(sayError),
          },
          { label: text('moveTo'), icon: <FolderInput size={15} />, run: () => setMoving(true) },
          isFolder && {
            label: text(entry.is_top ? 'unpin' : 'pin'),
            icon: entry.is_top ? <PinOff size={15} /> : <Pin size={15} />,
            run: () => void pinFolder(base, entry).catch(sayError),
          },
          !isFolder && {
            label: text('tags'),
            icon: <Tag size={15} />,
            run: () => void tagEntry(base, entry, text).catch(sayError),
          },
          isFile && { label: text('replaceFile'), icon: <FileUp size={15} />, run: () => input.current?.click() },
          null,
          {
            label: text('delete'),
            icon: <Trash2 size={15} />,
            danger: true,
            run: () => void deleteEntries(base, [idOf(entry)], text).catch(sayError),
          },
        ]}
      />
      {isFile && (
        <input
          ref={input}
          type="file"
          hidden
          accept={acceptedFiles}
          aria-label={text('replaceFile')}
          onChange={(event) => void replace(event.target.files?.[0]).catch(sayError)}
        />
      )}
      {moving && <MoveDialog base={base} entries={[entry]} onClose={() => setMoving(false)} />}
    </>
  );
}
