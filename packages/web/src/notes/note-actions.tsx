import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, FileJson, FileText, FolderInput, History, Library, Pencil, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queries, sheaf } from '../lib/client.ts';
import { save as saveFile } from '../lib/files.ts';
import { useText } from '../text/use-text.ts';
import { askText } from '../ui/ask.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { say, sayError } from '../ui/toast.tsx';
import type { Autosave } from './autosave.ts';
import { refreshNotes } from './queries.ts';
import { late } from '../ui/late.tsx';

// Loaded on demand: most visits open none of these dialogs.
const AddToBaseDialog = late(async () => (await import('./add-to-base.tsx')).AddToBaseDialog);
const HistoryDialog = late(async () => (await import('./history.tsx')).HistoryDialog);
const MoveDialog = late(async () => (await import('./move.tsx')).MoveDialog);

/** The menu entries and dialogs of a note. */
export function useNoteActions(
  id: string,
  name: string,
  autosave: Autosave,
): { entries: (MenuEntry | null)[]; dialogs: ReactNode; openHistory: () => void } {
  const text = useText();
  const navigate = useNavigate();
  const { folder } = useSearch({ strict: false }) as { folder?: string };
  const [dialog, setDialog] = useState<'history' | 'move' | 'base'>();
  const [from, setFrom] = useState('');
  const close = (): void => setDialog(undefined);

  const exported = async (format: 'markdown' | 'text' | 'json'): Promise<void> => {
    await autosave.flush();
    const file = await sheaf.note.export_note({ note_id: id, format });
    saveFile(file.file_name, file.content_type, file.content, file.encoding);
  };
  const rename = async (): Promise<void> => {
    const title = await askText({
      title: text('renameNote'),
      label: text('title'),
      initial: name,
      explanation: text('renameNoteHint'),
      action: text('rename'),
    });
    if (title === undefined) return;
    await sheaf.note.rename_note({ note_id: id, title });
    await Promise.all([refreshNotes(), queries.invalidateQueries({ queryKey: ['note-version', id] })]);
  };
  const remove = async (): Promise<void> => {
    await autosave.flush();
    await sheaf.note.delete_note({ note_id: id });
    await navigate({ to: '/notes', search: { folder } });
    await refreshNotes();
    say(text('noteDeleted'), {
      label: text('undo'),
      run: () => {
        sheaf.note
          .restore_note({ note_id: id })
          .then(() => Promise.all([refreshNotes(), navigate({ to: '/notes/$id', params: { id }, search: { folder } })]))
          .catch(sayError);
      },
    });
  };
  const move = async (): Promise<void> => {
    const { note_book_list: notes } = await sheaf.note.list_note({ cursor: '', limit: 20, folder_id: folder });
    setFrom(notes.find((note) => note.note_id === id)?.note_ext_info.folder_id ?? '');
    setDialog('move');
  };
  const openHistory = (): void => void autosave.flush().then(() => setDialog('history'));
  const entries: (MenuEntry | null)[] = [
    { label: text('history'), icon: <History size={15} />, run: openHistory },
    { label: text('moveTo'), icon: <FolderInput size={15} />, run: () => void move().catch(sayError) },
    { label: text('renameNote'), icon: <Pencil size={15} />, run: () => void rename().catch(sayError) },
    {
      label: text('addToBase'),
      icon: <Library size={15} />,
      run: () => void autosave.flush().then(() => setDialog('base')),
    },
    null,
    {
      label: text('exportMarkdown'),
      icon: <Download size={15} />,
      run: () => void exported('markdown').catch(sayError),
    },
    { label: text('exportText'), icon: <FileText size={15} />, run: () => void exported('text').catch(sayError) },
    { label: text('exportJson'), icon: <FileJson size={15} />, run: () => void exported('json').catch(sayError) },
    null,
    { label: text('delete'), icon: <Trash2 size={15} />, danger: true, run: () => void remove().catch(sayError) },
  ];
  const dialogs = (
    <>
      {dialog === 'history' && <HistoryDialog id={id} onClose={close} onRestore={(write) => autosave.restore(write)} />}
      {dialog === 'move' && <MoveDialog id={id} from={from} onClose={close} />}
      {dialog === 'base' && <AddToBaseDialog id={id} title={name === '' ? text('untitled') : name} onClose={close} />}
    </>
  );
  return { entries, dialogs, openHistory };
}
