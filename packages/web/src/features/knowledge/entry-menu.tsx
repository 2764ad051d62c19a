import { useNavigate } from '@tanstack/react-router';
import { Download, FileUp, FolderInput, FolderOpen, Pencil, Pin, PinOff, Tag, Trash2 } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { isFileType } from '@sheaf/client/media-types';
import { useTranslation } from '../../i18n/use-translation.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { deleteEntries, downloadEntry, pinFolder, renameEntry, tagEntry } from './entry-actions.ts';
import { MoveEntriesDialog } from './move-dialog.tsx';
import { entryId, refreshBase, type Entry } from './queries.ts';
import { replaceFile } from './upload-file.ts';

/** Returns a function that opens an entry: it navigates to a folder, or opens any other entry in the reader. */
export function useOpenEntry(base: string, entry: Entry): () => void {
  const navigate = useNavigate();
  return () =>
    void (entry.folder_id === undefined
      ? navigate({ to: '/wiki/$base/item/$id', params: { base, id: entry.media_id! } })
      : navigate({ to: '/wiki/$base', params: { base }, search: { folder: entry.folder_id } }));
}

/** Returns the actions of an entry and their dialogs. Both the menu button and the context menu show these actions. */
export function useEntryMenu(
  base: string,
  entry: Entry,
  mayEdit: boolean,
): { entries: (MenuEntry | null | false)[]; dialogs: ReactNode } {
  const text = useTranslation();
  const open = useOpenEntry(base, entry);
  const [moving, setMoving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isFolder = entry.folder_id !== undefined;
  const isFile = !isFolder && isFileType(entry.media_type);
  const replace = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    await replaceFile(entryId(entry), base, file, undefined);
    await refreshBase(base);
  };
  const entries: (MenuEntry | null | false)[] = [
    { label: text('open'), icon: <FolderOpen size={15} />, run: open },
    isFile && { label: text('download'), icon: <Download size={15} />, run: () => downloadEntry(entry, text) },
  ];
  if (mayEdit)
    entries.push(
      null,
      { label: text('rename'), icon: <Pencil size={15} />, run: () => renameEntry(base, entry, text) },
      { label: text('moveTo'), icon: <FolderInput size={15} />, run: () => setMoving(true) },
      isFolder
        ? {
            label: text(entry.is_top ? 'unpin' : 'pin'),
            icon: entry.is_top ? <PinOff size={15} /> : <Pin size={15} />,
            run: () => pinFolder(base, entry),
          }
        : { label: text('tags'), icon: <Tag size={15} />, run: () => tagEntry(base, entry, text) },
      isFile && { label: text('replaceFile'), icon: <FileUp size={15} />, run: () => input.current?.click() },
      null,
      {
        label: text('delete'),
        icon: <Trash2 size={15} />,
        danger: true,
        run: () => deleteEntries(base, [entryId(entry)], text),
      },
    );
  const dialogs = (
    <>
      {isFile && mayEdit && (
        <input
          ref={input}
          type="file"
          hidden
          aria-label={text('replaceFile')}
          onChange={(event) => {
            replace(event.target.files?.[0]).catch(showErrorToast);
            event.target.value = '';
          }}
        />
      )}
      {moving && <MoveEntriesDialog base={base} entries={[entry]} onClose={() => setMoving(false)} />}
    </>
  );
  return { entries, dialogs };
}
