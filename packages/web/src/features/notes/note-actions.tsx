import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  Download,
  FileJson,
  FileText,
  FolderInput,
  History,
  Library,
  Pencil,
  PencilLine,
  Share2,
  Trash2,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { downloadFile } from '../../lib/download.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { Autosave } from './autosave.ts';
import { refreshNotes } from './queries.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

// Loaded on demand, because most visits open none of these dialogs.
const AddToBaseDialog = lazyComponent(async () => (await import('./add-to-base-dialog.tsx')).AddToBaseDialog);
const HistoryDialog = lazyComponent(async () => (await import('./history-dialog.tsx')).HistoryDialog);
const ShareDialog = lazyComponent(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog);
const MoveNotesDialog = lazyComponent(async () => (await import('./move-dialog.tsx')).MoveNotesDialog);

export function useNoteActions(
  id: string,
  name: string,
  autosave: Autosave,
  { isOwn, onSuggestions }: { isOwn: boolean; onSuggestions: () => void },
): { entries: (MenuEntry | null)[]; dialogs: ReactNode; openHistory: () => void } {
  const text = useTranslation();
  const navigate = useNavigate();
  const { folder } = useSearch({ strict: false }) as { folder?: string };
  const [dialog, setDialog] = useState<'history' | 'move' | 'base' | 'share'>();
  const [from, setFrom] = useState<string>();
  const close = (): void => setDialog(undefined);

  const exported = async (format: 'markdown' | 'text' | 'json'): Promise<void> => {
    await autosave.flush();
    const file = await sheaf.note.export_note({ note_id: id, format });
    downloadFile(file.file_name, file.content_type, file.content, file.encoding);
  };
  const rename = async (): Promise<void> => {
    const title = await promptText({
      title: text('renameNote'),
      label: text('title'),
      initial: name,
      explanation: text('renameNoteHint'),
      action: text('rename'),
    });
    if (title === undefined) return;
    await sheaf.note.rename_note({ note_id: id, title });
    await Promise.all([refreshNotes(), queryClient.invalidateQueries({ queryKey: ['note-version', id] })]);
  };
  const remove = async (): Promise<void> => {
    await autosave.flush();
    await sheaf.note.delete_note({ note_id: id });
    await navigate({ to: '/notes', search: { folder } });
    await refreshNotes();
    showToast(text('noteDeleted'), {
      label: text('undo'),
      run: async () => {
        await sheaf.note.restore_note({ note_id: id });
        await Promise.all([refreshNotes(), navigate({ to: '/notes/$id', params: { id }, search: { folder } })]);
      },
    });
  };
  const move = async (): Promise<void> => {
    const { note_book_list: notes } = await sheaf.note.list_note({ cursor: '', limit: 20, folder_id: folder });
    setFrom(notes.find((note) => note.note_id === id)?.note_ext_info.folder_id);
    setDialog('move');
  };
  const openHistory = (): void => void autosave.flush().then(() => setDialog('history'));
  const entries: (MenuEntry | null)[] = [
    { label: text('history'), icon: <History size={15} />, run: openHistory },
    { label: text('suggestions'), icon: <PencilLine size={15} />, run: onSuggestions },
    ...(isOwn
      ? [
          {
            label: text('share'),
            icon: <Share2 size={15} />,
            run: () => autosave.flush().then(() => setDialog('share')),
          },
          { label: text('moveTo'), icon: <FolderInput size={15} />, run: move },
        ]
      : []),
    { label: text('renameNote'), icon: <Pencil size={15} />, run: rename },
    {
      label: text('addToBase'),
      icon: <Library size={15} />,
      run: () => autosave.flush().then(() => setDialog('base')),
    },
    null,
    { label: text('exportMarkdown'), icon: <Download size={15} />, run: () => exported('markdown') },
    { label: text('exportText'), icon: <FileText size={15} />, run: () => exported('text') },
    { label: text('exportJson'), icon: <FileJson size={15} />, run: () => exported('json') },
    ...(isOwn ? [null, { label: text('delete'), icon: <Trash2 size={15} />, danger: true, run: remove }] : []),
  ];
  const dialogs = (
    <>
      {dialog === 'history' && <HistoryDialog id={id} onClose={close} onRestore={(write) => autosave.restore(write)} />}
      {dialog === 'move' && <MoveNotesDialog ids={[id]} from={from} onClose={close} />}
      {dialog === 'share' && (
        <ShareDialog kind="note" id={id} title={name === '' ? text('untitled') : name} onClose={close} />
      )}
      {dialog === 'base' && <AddToBaseDialog id={id} title={name === '' ? text('untitled') : name} onClose={close} />}
    </>
  );
  return { entries, dialogs, openHistory };
}
