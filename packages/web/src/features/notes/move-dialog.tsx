import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/form-fields.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { moveNotes } from './move-notes.ts';
import { useNotebooks } from './queries.ts';

export function MoveNoteDialog({ id, from, onClose }: { id: string; from: string; onClose: () => void }): ReactNode {
  const text = useTranslation();
  const notebooks = useNotebooks().filter((each) => each.folder_type !== 1);
  const [to, setTo] = useState(from);
  const chosen = notebooks.find((each) => each.folder_id === to);
  const nameOf = (each: (typeof notebooks)[number]): string =>
    each.folder_type === 2 ? text('looseNotes') : each.name;
  const move = async (): Promise<void> => {
    onClose();
    if (chosen) await moveNotes([id], chosen.folder_type === 2 ? '' : chosen.folder_id, nameOf(chosen), text);
  };
  return (
    <Dialog title={text('moveTo')} onClose={onClose}>
      <Field label={text('notebook')}>
        {(ids) => (
          <Select {...ids} value={to} onChange={(event) => setTo(event.target.value)}>
            {notebooks.map((each) => (
              <option key={each.folder_id} value={each.folder_id}>
                {nameOf(each)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <DialogButtons>
        <Button variant="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
        <Button variant="primary" disabled={to === from || !chosen} onClick={() => move().catch(showErrorToast)}>
          {text('move')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
