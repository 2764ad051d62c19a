import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useNotebooks } from '../notes/queries.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form-fields.tsx';
import { useBases } from '../knowledge/queries.ts';

export type WebhookSubjectKind = 'knowledge_base' | 'notebook' | 'document' | 'inbox';

const kindLabels: Record<WebhookSubjectKind, MessageKey> = {
  knowledge_base: 'filterBase',
  notebook: 'notebook',
  document: 'spreadsheet',
  inbox: 'inbox',
};

const kinds = Object.keys(kindLabels) as WebhookSubjectKind[];

interface Subject {
  id: string;
  name: string;
}

/**
 * Returns, by kind, the objects whose events a webhook can report, and a function that returns the name of such an
 * object. Only the most recent spreadsheets are included.
 */
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
    inbox: [],
  };
  return {
    of,
    nameOf: (kind, id) =>
      kind === 'inbox'
        ? text('inbox')
        : `${text(kindLabels[kind])}: ${of[kind].find((one) => one.id === id)?.name ?? id}`,
  };
}

const fieldOf = { knowledge_base: 'knowledge_base_id', notebook: 'notebook_id', document: 'file_id' } as const;

interface NewWebhookDialogProps {
  onClose: () => void;
  onMade: (secret: string) => void;
}

export function NewWebhookDialog({ onClose, onMade }: NewWebhookDialogProps): ReactNode {
  const text = useTranslation();
  const subjects = useWebhookSubjects();
  const [url, setUrl] = useState('');
  const [kind, setKind] = useState<WebhookSubjectKind>('knowledge_base');
  const [chosen, setChosen] = useState('');
  const offered = subjects.of[kind];
  const subject = offered.find((one) => one.id === chosen)?.id ?? offered[0]?.id;
  const make = async (): Promise<void> => {
    const about = kind === 'inbox' ? { inbox: true } : { [fieldOf[kind]]: subject };
    const { secret } = await sheaf.account.create_webhook({ url: url.trim(), ...about });
    onMade(secret);
  };
  return (
    <FormDialog
      title={text('newWebhook')}
      action={text('create')}
      isReady={url.trim() !== '' && (kind === 'inbox' || subject !== undefined)}
      onSubmit={make}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label={text('address')}
            hint={text('webhookAddressHint')}
            error={error}
            type="url"
            autoFocus
            required
            maxLength={2048}
            value={url}
            placeholder="https://example.com/hook"
            onChange={setUrl}
          />
          <SelectField
            label={text('listenTo')}
            value={kind}
            options={kinds.map((each) => [each, text(kindLabels[each])])}
            onChange={setKind}
          />
          {kind !== 'inbox' && (
            <SelectField
              label={text('whichOne')}
              hint={offered.length === 0 ? text('nothingToListenTo') : undefined}
              value={subject ?? ''}
              options={offered.map(({ id, name }) => [id, name])}
              onChange={setChosen}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
