import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/form-fields.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { moveNotes } from './move-notes.ts';
import { notebookName, useNotebooks } from './queries.ts';

interface MoveNotesDialogProps {
  ids: readonly string[];
  /** Notebook that contains the notes now; undefined if it is unknown or they are in several notebooks. */
  from?: string | undefined;
  onClose: () => void;
  onMoved?: () => void;
}

export function MoveNotesDialog({ ids, from, onClose, onMoved }: MoveNotesDialogProps): ReactNode {
  const text = useTranslation();
  const notebooks = useNotebooks().filter((each) => each.folder_type !== 1);
  const [picked, setPicked] = useState(from);
  const to = picked ?? notebooks[0]?.folder_id ?? '';
  const chosen = notebooks.find((each) => each.folder_id === to);
  const move = async (): Promise<void> => {
    onClose();
    if (!chosen) return;
    await moveNotes(ids, chosen.folder_type === 2 ? '' : chosen.folder_id, notebookName(chosen, text), text);
    onMoved?.();
  };
  return (
    <Dialog title={text('moveTo')} onClose={onClose}>
      <SelectField
        label={text('notebook')}
        value={to}
        options={notebooks.map((each) => [each.folder_id, notebookName(each, text)])}
        onChange={setPicked}
      />
      <DialogActions
        action={text('move')}
        disabled={to === from || !chosen}
        onAction={() => move().catch(showErrorToast)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
