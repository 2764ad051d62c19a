import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { sheaf } from '../lib/client.ts';
import { useText } from '../text/use-text.ts';
import { Field, Select } from '../ui/field.tsx';
import { Section, Snippet } from '../ui/page.tsx';
import { Lines } from '../ui/states.tsx';
import { freshKeys } from './keys.tsx';

/** The exact lines that connect an agent, a program or a shell to this server with one of the caller's keys. */
export function ConnectSection(): ReactNode {
  const text = useText();
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => sheaf.account.list_keys({}) });
  const [chosen, setChosen] = useState('');
  if (keys.isPending) return <Lines count={3} className="h-28" />;
  const active = keys.data?.keys.filter((key) => !key.revoked) ?? [];
  const clientId =
    chosen !== ''
      ? chosen
      : (active.findLast((key) => freshKeys.has(key.client_id))?.client_id ?? active.at(-1)?.client_id ?? '');
  const apiKey = freshKeys.get(clientId) ?? '<API_KEY>';
  const url = location.origin;
  const mcpAt = (path: string): string =>
    JSON.stringify(
      { mcpServers: { sheaf: { type: 'http', url: `${url}${path}`, headers: { Authorization: `Bearer ${apiKey}` } } } },
      null,
      2,
    );
  const curl = [
    `curl -s ${url}/openapi/note/v1/search_note \\`,
    `  -H 'svc-openapi-clientid: ${clientId}' \\`,
    `  -H 'svc-openapi-apikey: ${apiKey}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"search_type":1,"query_info":{"content":"hello"},"start":0,"end":20}'`,
  ].join('\n');
  const mcpCall = [
    `curl -s ${url}/mcp \\`,
    `  -H 'authorization: Bearer ${apiKey}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"account_get_me","arguments":{}}}'`,
  ].join('\n');
  const client = [
    `import { createClient } from 'sheaf/client';`,
    '',
    `const sheaf = createClient({`,
    `  url: '${url}',`,
    `  clientId: '${clientId}',`,
    `  apiKey: '${apiKey}',`,
    `});`,
    `console.log(await sheaf.account.get_me({}));`,
  ].join('\n');
  return (
    <Section title={text('connect')}>
      <p className="text-soft">{text('connectLead')}</p>
      {active.length > 0 && (
        <div className="max-w-sm">
          <Field label={text('apiKey')} hint={freshKeys.has(clientId) ? undefined : text('secretUnknown')}>
            {(ids) => (
              <Select {...ids} value={clientId} onChange={(event) => setChosen(event.target.value)}>
                {active.map((key) => (
                  <option key={key.key_id} value={key.client_id}>
                    {key.name} ({key.client_id})
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      )}
      {active.length === 0 && (
        <p className="rounded-xl bg-warn-soft px-4 py-3 text-warn">
          {text('noKeyYet')}{' '}
          <Link
            to="/account/$section"
            params={{ section: 'keys' }}
            className="font-medium underline underline-offset-2"
          >
            {text('newKey')}
          </Link>
        </p>
      )}
      <Snippet label={text('mcpAddress')} code={`${url}/mcp`} />
      <Snippet label={text('mcpConfig')} code={mcpAt('/mcp')} />
      <Snippet label={text('mcpCoreConfig')} code={mcpAt('/mcp?tools=core')} />
      <Snippet label={text('mcpCall')} code={mcpCall} />
      <Snippet label={text('httpCall')} code={curl} />
      <Snippet label={text('typedClient')} code={client} />
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
