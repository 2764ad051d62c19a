import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/form-fields.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { moveNotes } from './move-notes.ts';
import { notebookName, useNotebooks } from './queries.ts';

export function MoveNoteDialog({ id, from, onClose }: { id: string; from: string; onClose: () => void }): ReactNode {
  const text = useTranslation();
  const notebooks = useNotebooks().filter((each) => each.folder_type !== 1);
  const [to, setTo] = useState(from);
  const chosen = notebooks.find((each) => each.folder_id === to);
  const move = async (): Promise<void> => {
    onClose();
    if (chosen)
      await moveNotes([id], chosen.folder_type === 2 ? '' : chosen.folder_id, notebookName(chosen, text), text);
  };
  return (
    <Dialog title={text('moveTo')} onClose={onClose}>
      <SelectField
        label={text('notebook')}
        value={to}
        options={notebooks.map((each) => [each.folder_id, notebookName(each, text)])}
        onChange={setTo}
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
