import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { errorMessage, sheaf } from '../../lib/api-client.ts';
import { useNotebooks } from '../notes/queries.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Field, Select, TextInput } from '../../ui/form-fields.tsx';
import { useBases } from '../knowledge/queries.ts';

export type WebhookSubjectKind = 'knowledge_base' | 'notebook' | 'document';

const kindLabels: Record<WebhookSubjectKind, MessageKey> = {
  knowledge_base: 'filterBase',
  notebook: 'notebook',
  document: 'spreadsheet',
};

interface Subject {
  id: string;
  name: string;
}

/** The objects a webhook can subscribe to. Of documents, only the latest are listed. */
export function useWebhookSubjects(): {
  of: Record<WebhookSubjectKind, readonly Subject[]>;
  nameOf: (kind: WebhookSubjectKind, id: string) => string;
} {
  const text = useTranslation();
  const bases = useBases();
  const notebooks = useNotebooks();
  const files = useQuery({
    queryKey: ['sheets', 'subjects'],
    queryFn: () => sheaf.manage.list_files({ cursor: '', limit: 50 }),
    staleTime: 30_000,
  });
  const of = {
    knowledge_base: (bases.data ?? []).map(({ id, name }) => ({ id, name })),
    notebook: notebooks.map((one) => ({ id: one.folder_id, name: one.name })),
    document: (files.data?.files ?? []).map((one) => ({ id: one.file_id, name: one.title })),
  };
  return {
    of,
    nameOf: (kind, id) => `${text(kindLabels[kind])}: ${of[kind].find((one) => one.id === id)?.name ?? id}`,
  };
}

const fieldOf = { knowledge_base: 'knowledge_base_id', notebook: 'notebook_id', document: 'file_id' } as const;

export function NewWebhookDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (secret: string) => void;
}): ReactNode {
  const text = useTranslation();
  const subjects = useWebhookSubjects();
  const [url, setUrl] = useState('');
  const [kind, setKind] = useState<WebhookSubjectKind>('knowledge_base');
  const [chosen, setChosen] = useState('');
  const [error, setError] = useState<string>();
  const offered = subjects.of[kind];
  const subject = offered.find((one) => one.id === chosen)?.id ?? offered[0]?.id;
  const make = async (): Promise<void> => {
    try {
      const { secret } = await sheaf.account.create_webhook({ url: url.trim(), [fieldOf[kind]]: subject });
      onMade(secret);
    } catch (error) {
      setError(errorMessage(error));
    }
  };
  return (
    <Dialog title={text('newWebhook')} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Field label={text('address')} hint={text('webhookAddressHint')} error={error}>
          {(ids) => (
            <TextInput
              {...ids}
              type="url"
              autoFocus
              required
              maxLength={2048}
              value={url}
              placeholder="https://example.com/hook"
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label={text('listenTo')}>
          {(ids) => (
            <Select {...ids} value={kind} onChange={(event) => setKind(event.target.value as WebhookSubjectKind)}>
              {(Object.keys(kindLabels) as WebhookSubjectKind[]).map((each) => (
                <option key={each} value={each}>
                  {text(kindLabels[each])}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={text('whichOne')} hint={offered.length === 0 ? text('nothingToListenTo') : undefined}>
          {(ids) => (
            <Select {...ids} value={subject ?? ''} onChange={(event) => setChosen(event.target.value)}>
              {offered.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <DialogButtons>
          <Button variant="quiet" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" variant="primary" disabled={url.trim() === '' || subject === undefined}>
            {text('create')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
