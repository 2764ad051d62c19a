import { useNavigate } from '@tanstack/react-router';
import {
  ChevronRight,
  Download,
  Ellipsis,
  FilePlus2,
  FolderInput,
  Inbox,
  ListTodo,
  NotebookText,
  Pencil,
  Plus,
  Share2,
  Tag,
  Trash2,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { fetchAllPages, sheaf } from '../../lib/api-client.ts';
import { downloadFile } from '../../lib/download.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { useDropTarget } from '../../ui/drop-target.ts';
import { Menu } from '../../ui/menu.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { TreeRow } from '../../ui/tree-row.tsx';
import { notebookName, refreshNotes, useNotebooks, type Notebook } from './queries.ts';
import { moveNotes, noteDragType } from './move-notes.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

// Loaded on demand, because most visits use none of these components.
const ShareDialog = lazyComponent(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog);

const TasksDialog = lazyComponent(async () => (await import('./tasks-dialog.tsx')).TasksDialog);
const TagList = lazyComponent(async () => (await import('./tag-list.tsx')).TagList);
const NotesTrashDialog = lazyComponent(async () => (await import('./trash-dialog.tsx')).NotesTrashDialog);

export function NotebookTree({ chosen, tag }: { chosen: string | undefined; tag: string | undefined }): ReactNode {
  const text = useTranslation();
  const notebooks = useNotebooks();
  const [trash, setTrash] = useState(false);
  const [areTasksOpen, setTasksOpen] = useState(false);
  const [areTagsOpen, setTagsOpen] = useState(tag !== undefined);
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
        {root && <Row notebook={root} icon={<NotebookText size={15} />} chosen={chosen} />}
        {loose && <Row notebook={loose} icon={<Inbox size={15} />} chosen={chosen} />}
        {made
          .filter((each) => each.parent_folder_id === root?.folder_id)
          .map((each) => (
            <Branch key={each.folder_id} notebook={each} all={made} chosen={chosen} depth={0} onAdd={add} />
          ))}
      </ul>
      <button
        type="button"
        aria-expanded={areTagsOpen}
        onClick={() => setTagsOpen(!areTagsOpen)}
        className={`mt-1 ${command}`}
      >
        <Tag size={15} /> {text('noteTags')}
      </button>
      {areTagsOpen && <TagList chosen={tag} />}
      <button type="button" onClick={() => setTasksOpen(true)} className={command}>
        <ListTodo size={15} /> {text('openTasksTitle')}
      </button>
      <button type="button" onClick={() => setTrash(true)} className={command}>
        <Trash2 size={15} /> {text('trash')}
      </button>
      <button type="button" onClick={() => exportAll().catch(showErrorToast)} className={command}>
        <Download size={15} /> {text('exportAll')}
      </button>
      {areTasksOpen && <TasksDialog onClose={() => setTasksOpen(false)} />}
      {trash && <NotesTrashDialog onClose={() => setTrash(false)} />}
    </div>
  );
}

const command = 'flex h-8 items-center gap-2 rounded-lg px-2.5 text-[0.9rem] text-soft hover:bg-hover hover:text-ink';

/** Downloads all notes as several ZIP archives of a few megabytes each. */
async function exportAll(): Promise<void> {
  await fetchAllPages(async (cursor) => {
    const part = await sheaf.note.export_note({ format: 'zip', cursor });
    downloadFile(part.file_name, part.content_type, part.content, part.encoding);
    return { is_end: part.is_end, next_cursor: part.next_cursor };
  });
}

interface BranchProps {
  notebook: Notebook;
  all: readonly Notebook[];
  chosen: string | undefined;
  depth: number;
  onAdd: (parent: string) => Promise<void>;
}

function Branch({ notebook, all, chosen, depth, onAdd }: BranchProps): ReactNode {
  const [open, setOpen] = useState(true);
  const inside = all.filter((each) => each.parent_folder_id === notebook.folder_id);
  return (
    <>
      <Row
        notebook={notebook}
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
        chosen={chosen}
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
  icon: ReactNode;
  chosen: string | undefined;
  depth?: number;
  menu?: ReactNode;
}

function Row({ notebook, icon, chosen, depth = 0, menu }: RowProps): ReactNode {
  const text = useTranslation();
  const { folder_id: id, folder_type: type, note_number: count } = notebook;
  const name = notebookName(notebook, text);
  const folder = type === 1 ? undefined : id;
  // The root notebook (folder type 1) is not a drop target, because it already lists all notes.
  const drop = useDropTarget(type === 1 ? [] : [noteDragType], (data) =>
    moveNotes(data.getData(noteDragType).split(' '), type === 2 ? '' : id, name, text),
  );
  return (
    <TreeRow
      link={{ to: '/notes', search: { folder } }}
      name={name}
      icon={icon}
      isChosen={chosen === folder}
      drop={drop}
      detail={<span className="ml-auto text-xs text-faint">{count > 0 ? count : ''}</span>}
      after={menu}
      linkStyle={{ paddingLeft: `${0.65 + depth * 0.9}rem`, paddingRight: '0.625rem' }}
    />
  );
}

function BranchMenu({ notebook, onAdd }: { notebook: Notebook; onAdd: (parent: string) => Promise<void> }): ReactNode {
  const text = useTranslation();
  const [deleting, setDeleting] = useState(false);
  const [sharing, setSharing] = useState(false);
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
          { label: text('newNotebookInside'), icon: <FilePlus2 size={15} />, run: () => onAdd(notebook.folder_id) },
          { label: text('rename'), icon: <Pencil size={15} />, run: rename },
          { label: text('share'), icon: <Share2 size={15} />, run: () => setSharing(true) },
          { label: text('delete'), icon: <Trash2 size={15} />, danger: true, run: () => setDeleting(true) },
        ]}
      />
      {sharing && (
        <ShareDialog kind="notebook" id={notebook.folder_id} title={notebook.name} onClose={() => setSharing(false)} />
      )}
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
