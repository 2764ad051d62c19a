import { useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field, TextArea, TextField } from '../../ui/form-fields.tsx';
import { refreshBase, type BaseInfo } from './queries.ts';

interface BaseDialogProps {
  base?: BaseInfo;
  onClose: () => void;
  onDone?: (id: string) => void;
}

export function BaseDialog({ base, onClose, onDone }: BaseDialogProps): ReactNode {
  const text = useTranslation();
  const [name, setName] = useState(base?.name ?? '');
  const [description, setDescription] = useState(base?.description ?? '');
  const submit = async (): Promise<void> => {
    let id = base?.id;
    if (id === undefined)
      id = (await sheaf.wiki.create_knowledge_base({ name: name.trim(), description })).knowledge_base_id;
    else await sheaf.wiki.update_knowledge_base({ knowledge_base_id: id, name: name.trim(), description });
    await refreshBase(id);
    onClose();
    onDone?.(id);
  };
  return (
    <FormDialog
      title={text(base ? 'editBase' : 'newBase')}
      action={text(base ? 'save' : 'create')}
      isReady={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField label={text('name')} error={error} required value={name} maxLength={200} onChange={setName} />
          <Field label={text('description')}>
            {(ids) => (
              <TextArea {...ids} rows={3} value={description} onChange={({ target }) => setDescription(target.value)} />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
