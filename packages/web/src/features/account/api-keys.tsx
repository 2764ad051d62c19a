import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { errorMessage, queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDate, formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Checkbox, Field, Select, TextInput } from '../../ui/form-fields.tsx';
import { Section, CodeSnippet } from '../../ui/page-layout.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';

type ModuleName = 'wiki' | 'note' | 'sheet' | 'manage' | 'account';

export const scopeModules: readonly { name: ModuleName; label: MessageKey }[] = [
  { name: 'wiki', label: 'knowledge' },
  { name: 'note', label: 'notes' },
  { name: 'sheet', label: 'sheets' },
  { name: 'manage', label: 'documents' },
  { name: 'account', label: 'account' },
];

interface NewKey {
  clientId: string;
  apiKey: string;
}

/** Secrets of the keys created while this page is open, for the snippets; stored nowhere else. */
export const newKeySecrets = new Map<string, string>();

export function ApiKeysSection(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const [making, setMaking] = useState(false);
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => sheaf.account.list_keys({}) });
  const active = keys.data?.keys.filter((key) => !key.revoked) ?? [];
  const revoke = async (id: string, name: string): Promise<void> => {
    if (
      !(await confirmAction({
        title: text('revokeKey'),
        explanation: text('revokeKeyHint', { name }),
        action: text('revoke'),
        danger: true,
      }))
    )
      return;
    await sheaf.account.revoke_key({ key_id: id });
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
    showToast(text('keyRevoked', { name }));
  };
  return (
    <Section
      title={text('apiKeys')}
      actions={
        <Button variant="primary" onClick={() => setMaking(true)}>
          <Plus size={16} /> {text('newKey')}
        </Button>
      }
    >
      <p className="text-soft">{text('keysLead')}</p>
      {keys.isPending ? (
        <SkeletonLines count={2} />
      ) : keys.error ? (
        <ErrorState error={keys.error} />
      ) : active.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={text('noKeys')} />
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {active.map((key) => (
            <li key={key.key_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
              <div className="flex min-w-0 flex-col">
                <span className="font-medium break-words">{key.name}</span>
                <span className="text-sm text-soft">
                  {key.access === 'read' ? text('readOnly') : text('readWrite')} ·{' '}
                  {key.modules.includes('*')
                    ? text('everything')
                    : key.modules
                        .map((name) => text(scopeModules.find((each) => each.name === name)?.label ?? 'everything'))
                        .join(', ')}
                </span>
                <span className="text-sm text-faint">
                  {key.last_used_time === 0
                    ? text('neverUsed')
                    : text('lastUsed', { time: formatTimeAgo(key.last_used_time, language) })}
                  {key.expire_time > 0 && ` · ${text('expires', { time: formatDate(key.expire_time, language) })}`}
                </span>
              </div>
              <div className="flex items-center gap-3">
                <code className="hidden font-mono text-sm text-faint sm:inline">{key.client_id}</code>
                <Button
                  variant="quiet"
                  onClick={() => revoke(key.key_id, key.name).catch(showErrorToast)}
                  aria-label={`${text('revoke')}: ${key.name}`}
                >
                  {text('revoke')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {making && <NewKeyDialog onClose={() => setMaking(false)} />}
    </Section>
  );
}

const day = 86_400_000;

function NewKeyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useTranslation();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<'read' | 'write'>('write');
  const [chosen, setChosen] = useState<readonly ModuleName[]>([]);
  const [days, setDays] = useState(0);
  const [made, setMade] = useState<NewKey>();
  const [error, setError] = useState<string>();
  const make = async (): Promise<void> => {
    try {
      const { key, api_key: apiKey } = await sheaf.account.create_key({
        name: name.trim(),
        access,
        ...(chosen.length > 0 ? { modules: [...chosen] } : {}),
        ...(days > 0 ? { expire_time: Date.now() + days * day } : {}),
      });
      newKeySecrets.set(key.client_id, apiKey);
      setMade({ clientId: key.client_id, apiKey });
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
    } catch (error) {
      setError(errorMessage(error));
    }
  };
  if (made) {
    return (
      <Dialog title={text('keyMade')} onClose={onClose} width="medium">
        <p className="rounded-xl bg-warn-soft px-4 py-3 text-warn">{text('keyOnce')}</p>
        <CodeSnippet label={text('apiKey')} code={made.apiKey} />
        <CodeSnippet label={text('clientId')} code={made.clientId} />
        <DialogButtons>
          <Button variant="primary" onClick={onClose}>
            {text('done')}
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog title={text('newKey')} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Field label={text('keyFor')} error={error}>
          {(ids) => (
            <TextInput
              {...ids}
              autoFocus
              required
              maxLength={100}
              value={name}
              placeholder={text('keyForExample')}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label={text('access')}>
          {(ids) => (
            <Select {...ids} value={access} onChange={(event) => setAccess(event.target.value as 'read' | 'write')}>
              <option value="write">{text('readWrite')}</option>
              <option value="read">{text('readOnly')}</option>
            </Select>
          )}
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-1 text-sm font-medium text-soft">{text('goodFor')}</legend>
          <Checkbox label={text('everything')} checked={chosen.length === 0} onChange={() => setChosen([])} />
          {scopeModules.map((module) => (
            <Checkbox
              key={module.name}
              label={text(module.label)}
              checked={chosen.includes(module.name)}
              onChange={(event) =>
                setChosen(
                  event.target.checked ? [...chosen, module.name] : chosen.filter((each) => each !== module.name),
                )
              }
            />
          ))}
        </fieldset>
        <Field label={text('expiry')}>
          {(ids) => (
            <Select {...ids} value={days} onChange={(event) => setDays(Number(event.target.value))}>
              <option value={0}>{text('never')}</option>
              {[7, 30, 90, 365].map((count) => (
                <option key={count} value={count}>
                  {text('inDays', { count })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <DialogButtons>
          <Button variant="quiet" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" variant="primary" disabled={name.trim() === ''}>
            {text('makeKey')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
