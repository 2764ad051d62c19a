import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, KeyRound } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Section, CodeSnippet } from '../../ui/page-layout.tsx';
import { Spinner } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { agentClients, type AgentClient } from './agent-clients.ts';
import { newKeySecrets } from './api-keys.tsx';

type AuthMethod = 'consent' | 'key';

/** True on a secure connection (https or localhost), because authorization by consent needs one. */
const mayConsent = location.protocol === 'https:' || /^(localhost|127\.|\[::1\])/.test(location.hostname);

/**
 * Guides the user through connecting an agent: choose the program and the authentication method, copy the
 * configuration, wait for the first call.
 */
export function ConnectAgentSection(): ReactNode {
  const text = useTranslation();
  const [client, setClient] = useState(usableClients[0]!);
  const [chosenWay, setWay] = useState<AuthMethod>();
  const ways = authMethodsOf(client);
  const way = chosenWay !== undefined && ways.includes(chosenWay) ? chosenWay : ways[0]!;
  return (
    <Section title={text('connectAgent')}>
      <p className="text-soft">{text('connectLead')}</p>
      <Step number={1} title={text('pickClient')}>
        <div role="radiogroup" aria-label={text('pickClient')} className="flex flex-wrap gap-2">
          {usableClients.map((each) => (
            <OptionPicker key={each.id} isChosen={each === client} onChoose={() => setClient(each)}>
              {each.id === 'mcp' ? text('otherMcp') : each.name}
            </OptionPicker>
          ))}
        </div>
      </Step>
      <Step number={2} title={text('pickWay')}>
        <div role="radiogroup" aria-label={text('pickWay')} className="flex flex-wrap gap-2">
          {ways.map((each) => (
            <OptionPicker key={each} isChosen={each === way} onChoose={() => setWay(each)}>
              {text(each === 'consent' ? 'byConsent' : 'byKey')}
            </OptionPicker>
          ))}
        </div>
        <p className="text-sm text-faint">{text(way === 'consent' ? 'byConsentHint' : 'byKeyHint')}</p>
      </Step>
      {way === 'consent' ? <ByConsent key={client.id} client={client} /> : <ByKey key={client.id} client={client} />}
      <p className="text-soft">
        <a
          href="/docs"
          target="_blank"
          rel="noreferrer"
          className="font-medium text-accent underline underline-offset-2"
        >
          {text('allOperations')}
        </a>
      </p>
    </Section>
  );
}

/** Agent programs that can connect to this server. Some programs need a secure connection. */
const usableClients = agentClients.filter((client) => authMethodsOf(client).length > 0);

function authMethodsOf(client: AgentClient): AuthMethod[] {
  const ways: AuthMethod[] = [];
  if (client.byConsent && mayConsent) ways.push('consent');
  if (client.byKey) ways.push('key');
  return ways;
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-col gap-2.5">
      <h3 className="flex items-center gap-2.5 font-medium">
        <span
          aria-hidden
          className="flex size-6 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
        >
          {number}
        </span>
        {title}
      </h3>
      <div className="flex flex-col gap-2.5 sm:pl-8.5">{children}</div>
    </div>
  );
}

interface OptionPickerProps {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function OptionPicker({ isChosen, onChoose, children }: OptionPickerProps): ReactNode {
  return (
    <label
      className={
        'flex h-9 cursor-pointer items-center rounded-lg border px-3 text-[0.933rem] font-medium ' +
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ' +
        `${isChosen ? 'border-accent bg-accent-soft text-accent' : 'border-strong-line bg-raised hover:bg-hover'}`
      }
    >
      <input type="radio" className="sr-only" checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}

function ByConsent({ client }: { client: AgentClient }): ReactNode {
  const text = useTranslation();
  const id = useId();
  /**
   * Time of the last use of each connected app when this section was opened. An app with a later time has called since
   * then.
   *
   * The times are not compared with the browser's clock, because it may differ from the server's.
   */
  const before = useRef<ReadonlyMap<string, number>>(undefined);
  const connected = useQuery({
    queryKey: ['connections', 'new', id],
    queryFn: async () => {
      const { apps } = await sheaf.account.list_connections({});
      before.current ??= new Map(apps.map((app) => [app.connection_id, app.last_used_time]));
      return apps.find((app) => app.last_used_time > (before.current?.get(app.connection_id) ?? 0))?.name ?? null;
    },
    refetchInterval: (query) => (typeof query.state.data === 'string' ? false : pollMs),
    gcTime: 0,
  });
  return (
    <Step number={3} title={text('copyLines')}>
      {client.installLink && (
        <div>
          <a
            href={client.installLink(location.origin)}
            className="inline-flex h-9 items-center rounded-lg bg-accent px-3.5 font-medium text-accent-ink hover:opacity-90"
          >
            {text('addToClient', { name: client.name })}
          </a>
        </div>
      )}
      {client.byConsent!(location.origin).map((line) => (
        <CodeSnippet key={line.label} {...line} />
      ))}
      <FirstCall by={connected.data ?? undefined} section="apps" />
    </Step>
  );
}

const pollMs = 1000;

function ByKey({ client }: { client: AgentClient }): ReactNode {
  const text = useTranslation();
  // Reuse the newest key created while this page is open, because the secrets of older keys are unknown.
  const [clientId, setClientId] = useState(() => [...newKeySecrets.keys()].at(-1));
  const apiKey = clientId === undefined ? undefined : newKeySecrets.get(clientId);
  const key = useQuery({
    queryKey: ['keys', 'new', clientId],
    queryFn: async () => (await sheaf.account.list_keys({})).keys.find((one) => one.client_id === clientId) ?? null,
    enabled: clientId !== undefined,
    refetchInterval: (query) => ((query.state.data?.last_used_time ?? 0) === 0 ? pollMs : false),
  });
  const make = async (): Promise<void> => {
    const made = await sheaf.account.create_key({ name: client.name });
    newKeySecrets.set(made.key.client_id, made.api_key);
    setClientId(made.key.client_id);
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <Step number={3} title={text('copyLines')}>
      {clientId === undefined || apiKey === undefined ? (
        <div>
          <Button variant="primary" onClick={() => make().catch(showErrorToast)}>
            <KeyRound size={16} /> {text('makeKeyAndLines')}
          </Button>
        </div>
      ) : (
        <>
          <p className="rounded-xl bg-warn-soft px-4 py-3 text-sm text-warn">{text('keyOnce')}</p>
          {client.byKey!(location.origin, { clientId, apiKey }).map((line) => (
            <CodeSnippet key={line.label} {...line} />
          ))}
          <FirstCall by={(key.data?.last_used_time ?? 0) > 0 ? key.data?.name : undefined} section="keys" />
        </>
      )}
    </Step>
  );
}

/** Shows whether the agent has made its first call. `by` is the agent's name; undefined while waiting. */
function FirstCall({ by, section }: { by: string | undefined; section: 'apps' | 'keys' }): ReactNode {
  const text = useTranslation();
  return (
    <div
      role="status"
      className="flex min-h-13 flex-wrap items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2"
    >
      {by === undefined ? (
        <Spinner label={text('waitingForCall')} />
      ) : (
        <>
          <span className="flex items-center gap-2 font-medium text-accent">
            <CircleCheck size={18} /> {text('agentConnected', { name: by })}
          </span>
          <Link
            to="/account/$section"
            params={{ section }}
            className="text-sm text-soft underline underline-offset-2 hover:text-ink"
          >
            {text(section === 'apps' ? 'connectedApps' : 'apiKeys')}
          </Link>
        </>
      )}
    </div>
  );
}
