import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDate } from '../../lib/format.ts';
import { useLanguage, useTranslation, type MessageKey, type Translate } from '../../i18n/use-translation.ts';
import { confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../ui/form-fields.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { EmptyState, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { SecretDialog, formatLastUsed } from './account-parts.tsx';
import { keysQuery } from './account-queries.ts';

type ModuleName = 'wiki' | 'note' | 'sheet' | 'manage' | 'account' | 'sharing' | 'inbox';

export const scopeModules: readonly { name: ModuleName; label: MessageKey }[] = [
  { name: 'wiki', label: 'knowledge' },
  { name: 'note', label: 'notes' },
  { name: 'sheet', label: 'sheets' },
  { name: 'manage', label: 'documents' },
  { name: 'account', label: 'account' },
  { name: 'sharing', label: 'sharing' },
  { name: 'inbox', label: 'inbox' },
];

/**
 * Secrets of the API keys created since the page was opened, by client id. The server returns a secret only once, so
 * they are stored here for the configuration snippets.
 */
export const newKeySecrets = new Map<string, string>();

export function ApiKeysSection(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const [making, setMaking] = useState(false);
  const keys = useQuery(keysQuery);
  const active = keys.data?.keys.filter((key) => !key.revoked) ?? [];
  const revoke = async (id: string, name: string): Promise<void> => {
    const asked = { title: text('revokeKey'), explanation: text('revokeKeyHint', { name }), action: text('revoke') };
    if (!(await confirmAction({ ...asked, danger: true }))) return;
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
      {queryPlaceholder(keys, <SkeletonLines count={2} />) ??
        (active.length === 0 ? (
          <EmptyState icon={<KeyRound />} title={text('noKeys')} />
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
            {active.map((key) => (
              <li key={key.key_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
                <div className="flex min-w-0 flex-col">
                  <span className="font-medium break-words">{key.name}</span>
                  <span className="text-sm text-soft">
                    {text(key.access === 'read' ? 'readOnly' : 'readWrite')} · {modulesOf(key.modules, text)}
                  </span>
                  <span className="text-sm text-faint">
                    {formatLastUsed(key.last_used_time, text, language)}
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
        ))}
      {making && <NewKeyDialog onClose={() => setMaking(false)} />}
    </Section>
  );
}

function modulesOf(names: readonly string[], text: Translate): string {
  if (names.includes('*')) return text('everything');
  return names.map((name) => text(scopeModules.find((each) => each.name === name)?.label ?? 'everything')).join(', ');
}

const day = 86_400_000;

function NewKeyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useTranslation();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<'read' | 'write'>('write');
  const [chosen, setChosen] = useState<readonly ModuleName[]>([]);
  const [days, setDays] = useState(0);
  const [made, setMade] = useState<{ clientId: string; apiKey: string }>();
  const make = async (): Promise<void> => {
    const { key, api_key: apiKey } = await sheaf.account.create_key({
      name: name.trim(),
      access,
      ...(chosen.length > 0 ? { modules: [...chosen] } : {}),
      ...(days > 0 ? { expire_time: Date.now() + days * day } : {}),
    });
    newKeySecrets.set(key.client_id, apiKey);
    setMade({ clientId: key.client_id, apiKey });
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  };
  if (made) {
    const secrets = { [text('apiKey')]: made.apiKey, [text('clientId')]: made.clientId };
    return <SecretDialog title={text('keyMade')} hint={text('keyOnce')} isOnce secrets={secrets} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={text('newKey')}
      action={text('makeKey')}
      isReady={name.trim() !== ''}
      onSubmit={make}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label={text('keyFor')}
            error={error}
            autoFocus
            required
            maxLength={100}
            value={name}
            placeholder={text('keyForExample')}
            onChange={setName}
          />
          <SelectField
            label={text('access')}
            value={access}
            options={[['write', text('readWrite')] as const, ['read', text('readOnly')] as const]}
            onChange={setAccess}
          />
          <fieldset className="flex flex-col gap-2">
            <legend className="pb-1 text-sm font-medium text-soft">{text('goodFor')}</legend>
            <Checkbox label={text('everything')} checked={chosen.length === 0} onChange={() => setChosen([])} />
            {scopeModules.map((module) => (
              <Checkbox
                key={module.name}
                label={text(module.label)}
                checked={chosen.includes(module.name)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, module.name] : chosen.filter((each) => each !== module.name))
                }
              />
            ))}
          </fieldset>
          <SelectField
            label={text('expiry')}
            value={days}
            options={[0, 7, 30, 90, 365].map((count) => [
              count,
              count === 0 ? text('never') : text('inDays', { count }),
            ])}
            onChange={setDays}
          />
        </>
      )}
    </FormDialog>
  );
}
