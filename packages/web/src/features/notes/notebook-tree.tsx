import { Link, useNavigate } from '@tanstack/react-router';
import {
  ChevronRight,
  Download,
  Ellipsis,
  FilePlus2,
  FolderInput,
  Inbox,
  NotebookText,
  Pencil,
  Plus,
  Trash2,
} from 'lucide-react';
import { useState, type DragEvent, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { downloadFile as saveFile } from '../../lib/download.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { refreshNotes, useNotebooks, type Notebook } from './queries.ts';
import { moveNotes } from './move-notes.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

const NotesTrashDialog = lazyComponent(async () => (await import('./trash-dialog.tsx')).NotesTrashDialog);

export const noteDragType = 'application/x-sheaf-note';

export function NotebookTree({ chosen }: { chosen: string | undefined }): ReactNode {
  const text = useTranslation();
  const notebooks = useNotebooks();
  const [trash, setTrash] = useState(false);
  const root = notebooks.find((each) => each.folder_type === 1);
  const loose = notebooks.find((each) => each.folder_type === 2);
  const made = notebooks.filter((each) => each.folder_type === 0);
  const add = async (parent?: string): Promise<void> => {
    const name = await promptText({ title: text('newNotebook'), label: text('name'), action: text('add') });
    if (name === undefined) return;
    await sheaf.note.add_notebook({ name, parent_folder_id: parent });
    await refreshNotes();
  };
  return (
    <div className="flex flex-col gap-1 pt-1">
      <div className="flex items-center justify-between pl-2.5">
        <h2 className="text-xs font-medium tracking-wide text-faint">{text('notebooks')}</h2>
        <IconButton label={text('newNotebook')} className="size-7" onClick={() => add().catch(showErrorToast)}>
          <Plus size={15} />
        </IconButton>
      </div>
      <ul className="flex flex-col" aria-label={text('notebooks')}>
        {root && (
          <Row
            notebook={root}
            name={text('allNotes')}
            icon={<NotebookText size={15} />}
            isChosen={chosen === undefined}
            to={undefined}
            depth={0}
          />
        )}
        {loose && (
          <Row
            notebook={loose}
            name={text('looseNotes')}
            icon={<Inbox size={15} />}
            isChosen={chosen === loose.folder_id}
            to={loose.folder_id}
            depth={0}
          />
        )}
        {made
          .filter((each) => each.parent_folder_id === root?.folder_id)
          .map((each) => (
            <Branch key={each.folder_id} notebook={each} all={made} chosen={chosen} depth={0} onAdd={add} />
          ))}
      </ul>
      <button
        type="button"
        onClick={() => setTrash(true)}
        className="mt-1 flex h-8 items-center gap-2 rounded-lg px-2.5 text-[0.9rem] text-soft hover:bg-hover hover:text-ink"
      >
        <Trash2 size={15} /> {text('trash')}
      </button>
      <button
        type="button"
        onClick={() => exportAll().catch(showErrorToast)}
        className="flex h-8 items-center gap-2 rounded-lg px-2.5 text-[0.9rem] text-soft hover:bg-hover hover:text-ink"
      >
        <Download size={15} /> {text('exportAll')}
      </button>
      {trash && <NotesTrashDialog onClose={() => setTrash(false)} />}
    </div>
  );
}

/** Exports all notes as several ZIP archives of a few megabytes each. */
async function exportAll(): Promise<void> {
  for (let cursor = ''; ;) {
    const part = await sheaf.note.export_note({ format: 'zip', cursor });
    saveFile(part.file_name, part.content_type, part.content, part.encoding);
    if (part.is_end) return;
    cursor = part.next_cursor;
  }
}

function Branch({
  notebook,
  all,
  chosen,
  depth,
  onAdd,
}: {
  notebook: Notebook;
  all: readonly Notebook[];
  chosen: string | undefined;
  depth: number;
  onAdd: (parent: string) => Promise<void>;
}): ReactNode {
  const [open, setOpen] = useState(true);
  const inside = all.filter((each) => each.parent_folder_id === notebook.folder_id);
  return (
    <>
      <Row
        notebook={notebook}
        name={notebook.name}
        icon={
          inside.length > 0 ? (
            <ChevronRight
              size={15}
              className={`transition-transform ${open ? 'rotate-90' : ''}`}
              onClick={(event) => {
                event.preventDefault();
                setOpen(!open);
              }}
            />
          ) : (
            <span className="size-[15px]" />
          )
        }
        isChosen={chosen === notebook.folder_id}
        to={notebook.folder_id}
        depth={depth}
        menu={<BranchMenu notebook={notebook} onAdd={onAdd} />}
      />
      {open &&
        inside.map((each) => (
          <Branch key={each.folder_id} notebook={each} all={all} chosen={chosen} depth={depth + 1} onAdd={onAdd} />
        ))}
    </>
  );
}

interface RowProps {
  notebook: Notebook;
  name: string;
  icon: ReactNode;
  isChosen: boolean;
  to: string | undefined;
  depth: number;
  menu?: ReactNode;
}

function Row({ notebook, name, icon, isChosen, to, depth, menu }: RowProps): ReactNode {
  const text = useTranslation();
  const [over, setOver] = useState(false);
  const takes = notebook.folder_type !== 1;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const id = event.dataTransfer.getData(noteDragType);
    if (id !== '')
      moveNotes([id], notebook.folder_type === 2 ? '' : notebook.folder_id, name, text).catch(showErrorToast);
  };
  return (
    <li
      className={`group flex items-center rounded-lg ${isChosen ? 'bg-hover font-medium' : 'hover:bg-hover'} ${over ? 'outline-2 outline-accent' : ''}`}
      onDragOver={(event) => {
        if (!takes || !event.dataTransfer.types.includes(noteDragType)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Link
        to="/notes"
        search={{ folder: to }}
        className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-lg px-2.5 text-[0.9rem] text-soft"
        style={{ paddingLeft: `${0.65 + depth * 0.9}rem` }}
        aria-current={isChosen ? 'true' : undefined}
      >
        <span className="shrink-0 text-faint">{icon}</span>
        <span className="truncate">{name}</span>
        <span className="ml-auto text-xs text-faint">{notebook.note_number > 0 ? notebook.note_number : ''}</span>
      </Link>
      {menu}
    </li>
  );
}

function BranchMenu({ notebook, onAdd }: { notebook: Notebook; onAdd: (parent: string) => Promise<void> }): ReactNode {
  const text = useTranslation();
  const [deleting, setDeleting] = useState(false);
  const rename = async (): Promise<void> => {
    const name = await promptText({
      title: text('renameNotebook'),
      label: text('name'),
      initial: notebook.name,
      action: text('rename'),
    });
    if (name === undefined) return;
    await sheaf.note.rename_notebook({ folder_id: notebook.folder_id, name });
    await refreshNotes();
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={text('actionsFor', { name: notebook.name })}
            className="size-7 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100"
          >
            <Ellipsis size={15} />
          </IconButton>
        }
        entries={[
          {
            label: text('newNotebookInside'),
            icon: <FilePlus2 size={15} />,
            run: () => void onAdd(notebook.folder_id).catch(showErrorToast),
          },
          { label: text('rename'), icon: <Pencil size={15} />, run: () => void rename().catch(showErrorToast) },
          { label: text('delete'), icon: <Trash2 size={15} />, danger: true, run: () => setDeleting(true) },
        ]}
      />
      {deleting && <DeleteDialog notebook={notebook} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ notebook, onClose }: { notebook: Notebook; onClose: () => void }): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const remove = async (notes: 'keep' | 'delete'): Promise<void> => {
    onClose();
    await sheaf.note.delete_notebook({ folder_id: notebook.folder_id, notes });
    await navigate({ to: '/notes', search: {} });
    await refreshNotes();
    showToast(text('notebookDeleted', { name: notebook.name }));
  };
  return (
    <Dialog title={text('deleteNotebook', { name: notebook.name })} onClose={onClose} width="medium">
      <p className="text-soft">{text('deleteNotebookHint')}</p>
      <DialogButtons>
        <Button variant="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
        <Button variant="danger" onClick={() => remove('delete').catch(showErrorToast)}>
          {text('deleteNotesToo')}
        </Button>
        <Button variant="primary" onClick={() => remove('keep').catch(showErrorToast)}>
          <FolderInput size={16} /> {text('keepNotes')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
