import { ChevronRight, Folder } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/form-fields.tsx';
import { SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { moveEntries } from './entry-actions.ts';
import { entryId, useBases, useFolder, type Entry } from './queries.ts';

interface MoveEntriesDialogProps {
  base: string;
  entries: readonly Entry[];
  onClose: () => void;
}

/** Moves entries to a folder that the user picks, in any knowledge base that the user may edit. */
export function MoveEntriesDialog({ base, entries, onClose }: MoveEntriesDialogProps): ReactNode {
  const text = useTranslation();
  const bases = useBases().data?.filter((each) => each.role_type !== 'viewer') ?? [];
  const [target, setTarget] = useState(base);
  const [folder, setFolder] = useState(base);
  const listed = useFolder(target, folder);
  const path = listed.data?.pages[0]?.current_path ?? [];
  const folders =
    listed.data?.pages
      .flatMap((page) => page.knowledge_list)
      .filter((each) => each.folder_id !== undefined && !entries.some((entry) => entry.folder_id === each.folder_id)) ??
    [];
  const move = async (): Promise<void> => {
    onClose();
    await moveEntries(base, entries.map(entryId), target, folder, text);
  };
  return (
    <Dialog title={text('moveTo')} onClose={onClose} width="medium">
      <SelectField
        label={text('knowledgeBase')}
        value={target}
        options={bases.map(({ id, name }) => [id, name])}
        onChange={(chosen) => {
          setTarget(chosen);
          setFolder(chosen);
        }}
      />
      <nav aria-label={text('path')} className="flex flex-wrap items-center gap-1 text-sm text-soft">
        {path.map((each, index) => (
          <span key={each.folder_id} className="flex items-center gap-1">
            {index > 0 && <ChevronRight size={13} aria-hidden />}
            <button
              type="button"
              className="rounded hover:text-ink hover:underline"
              onClick={() => setFolder(each.folder_id)}
            >
              {each.name}
            </button>
          </span>
        ))}
      </nav>
      <ul
        className="scroll-thin h-52 overflow-y-auto rounded-xl border border-line bg-raised p-1"
        aria-label={text('folders')}
      >
        {listed.isPending && <SkeletonLines count={3} className="h-9" />}
        {folders.map((each) => (
          <li key={each.folder_id}>
            <button
              type="button"
              className="flex w-full items-center gap-2 rounded-lg px-3 py-2 text-left hover:bg-hover"
              onClick={() => setFolder(each.folder_id!)}
            >
              <Folder size={16} className="text-accent" /> <span className="truncate">{each.title}</span>
            </button>
          </li>
        ))}
        {listed.isSuccess && folders.length === 0 && (
          <li className="px-3 py-6 text-center text-sm text-faint">{text('noFolders')}</li>
        )}
      </ul>
      <DialogActions
        action={text('moveHere')}
        disabled={target === base && entries.every((entry) => folder === entry.parent_folder_id)}
        onAction={() => move().catch(showErrorToast)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
