import { useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { linkIdentity, fetchSingleSignOnName } from './authentication.ts';
import { formatDate } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { AgentMemorySection } from './agent-memory.tsx';
import { formatLastUsed } from './account-parts.tsx';
import { connectionsQuery } from './account-queries.ts';
import { scopeModules } from './api-keys.tsx';

/**
 * Lists the apps connected to the user's account, the memories that agents stored, and the user's single sign-on
 * identity.
 */
export function ConnectedAppsSection(): ReactNode {
  const text = useTranslation();
  const connections = useQuery(connectionsQuery);
  const sso = useQuery({ queryKey: ['sign-in options'], queryFn: fetchSingleSignOnName, staleTime: Infinity }).data;
  const end = async (connection_id: string, name: string): Promise<void> => {
    const sure = await confirmAction({
      title: text('disconnectApp'),
      explanation: text('disconnectHint', { name }),
      action: text('disconnect'),
      danger: true,
    });
    if (!sure) return;
    await sheaf.account.revoke_connection({ connection_id });
    await queryClient.invalidateQueries({ queryKey: ['connections'] });
    showToast(text('disconnected', { name }));
  };
  if (connections.isPending) return <SkeletonLines count={2} />;
  if (connections.error) return <ErrorState error={connections.error} />;
  const { apps, identities } = connections.data;
  return (
    <div className="flex flex-col gap-10">
      <Section title={text('connectedApps')}>
        <p className="text-soft">{text('appsLead')}</p>
        {apps.length === 0 ? (
          <EmptyState icon={<Plug />} title={text('noApps')} />
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
            {apps.map((app) => (
              <Connection
                key={app.connection_id}
                name={app.name}
                detail={app.host}
                more={<Scopes scopes={app.scopes} />}
                created={app.create_time}
                lastUsed={app.last_used_time}
                onEnd={() => end(app.connection_id, app.name).catch(showErrorToast)}
              />
            ))}
          </ul>
        )}
      </Section>
      <AgentMemorySection />
      {(identities.length > 0 || typeof sso === 'string') && (
        <Section title={text('identities')}>
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised empty:hidden">
            {identities.map((identity) => (
              <Connection
                key={identity.connection_id}
                name={identity.name}
                detail={identity.issuer}
                created={identity.create_time}
                onEnd={() => end(identity.connection_id, identity.name).catch(showErrorToast)}
              />
            ))}
          </ul>
          {typeof sso === 'string' && (
            <div>
              <Button onClick={() => void linkIdentity().catch(showErrorToast)}>
                {text('linkIdentity', { name: sso })}
              </Button>
            </div>
          )}
        </Section>
      )}
    </div>
  );
}

interface ConnectionProps {
  name: string;
  detail: string;
  more?: ReactNode;
  created: number;
  lastUsed?: number;
  onEnd: () => void;
}

function Connection({ name, detail, more, created, lastUsed, onEnd }: ConnectionProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
      <div className="flex min-w-0 flex-col">
        <span className="font-medium break-words">{name}</span>
        <span className="text-sm break-words text-soft">{detail}</span>
        {more}
        <span className="text-sm text-faint">
          {text('signedInAt', { time: formatDate(created, language) })}
          {lastUsed !== undefined && ` · ${formatLastUsed(lastUsed, text, language)}`}
        </span>
      </div>
      <Button variant="quiet" onClick={onEnd} aria-label={`${text('disconnect')}: ${name}`}>
        {text('disconnect')}
      </Button>
    </li>
  );
}

/**
 * Lists the parts of the workspace (such as notes) that the app may access, each with "read only" or "read and write".
 */
function Scopes({ scopes }: { scopes: readonly string[] }): ReactNode {
  const text = useTranslation();
  const parts = scopeModules
    .map(({ name, label }) => {
      if (scopes.includes(`${name}:write`)) return `${text(label)} (${text('readWrite')})`;
      return scopes.includes(`${name}:read`) ? `${text(label)} (${text('readOnly')})` : '';
    })
    .filter((part) => part !== '');
  return <span className="text-sm text-soft">{parts.join(' · ')}</span>;
}
