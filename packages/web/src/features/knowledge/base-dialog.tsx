import { useState, type ReactNode } from 'react';
import { errorMessage, sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Field, TextArea, TextInput } from '../../ui/form-fields.tsx';
import { refreshBase, type BaseInfo } from './queries.ts';

/** Creates a knowledge base, or edits its name and description. */
export function BaseDialog({
  base,
  onClose,
  onDone,
}: {
  base?: BaseInfo;
  onClose: () => void;
  onDone?: (id: string) => void;
}): ReactNode {
  const text = useTranslation();
  const [name, setName] = useState(base?.name ?? '');
  const [description, setDescription] = useState(base?.description ?? '');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      let id = base?.id;
      if (id === undefined)
        id = (await sheaf.wiki.create_knowledge_base({ name: name.trim(), description })).knowledge_base_id;
      else await sheaf.wiki.update_knowledge_base({ knowledge_base_id: id, name: name.trim(), description });
      await refreshBase(id);
      onClose();
      onDone?.(id);
    } catch (error) {
      setError(errorMessage(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={text(base ? 'editBase' : 'newBase')} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={text('name')} error={error}>
          {(ids) => (
            <TextInput
              {...ids}
              required
              value={name}
              maxLength={200}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label={text('description')}>
          {(ids) => (
            <TextArea {...ids} rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
          )}
        </Field>
        <DialogButtons>
          <Button variant="quiet" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" variant="primary" disabled={busy || name.trim() === ''}>
            {text(base ? 'save' : 'create')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
