interface Line {
  label: string;
  code: string;
}

/**
 * A program that runs AI agents, and the snippets that configure it to connect to this server.
 *
 * The snippets of `byKey` contain an API key. The snippets of `byConsent` contain only the server address; the program
 * then asks the user for consent.
 */
export interface AgentClient {
  id: string;
  /** Name of the program: a product name, or the key of a translated text. */
  name: string;
  byConsent?: (url: string) => Line[];
  /** Returns a URL that opens the program with the server address filled in. The program then asks for consent. */
  installLink?: (url: string) => string;
  byKey?: (url: string, key: Key) => Line[];
}

interface Key {
  clientId: string;
  apiKey: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
/** Formats a value as JSON in single quotes, as a shell argument. */
const quoted = (value: unknown): string => `'${JSON.stringify(value)}'`;
/** Returns the headers field of an MCP server configuration that authenticates with the API key. */
const withKey = ({ apiKey }: Key): object => ({ headers: { Authorization: `Bearer ${apiKey}` } });
const terminal = (code: string): Line[] => [{ label: 'Terminal', code }];
const cursorFile = (server: object): Line[] => [
  { label: '~/.cursor/mcp.json', code: json({ mcpServers: { sheaf: server } }) },
];

/** Returns the extension entry for Goose's YAML configuration. YAML accepts JSON as a value. */
const gooseFile = (server: object): Line[] => [
  {
    label: '~/.config/goose/config.yaml',
    code: `extensions:\n  sheaf: ${JSON.stringify({ enabled: true, type: 'streamable_http', name: 'sheaf', timeout: 300, ...server })}`,
  },
];

export const agentClients: readonly AgentClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    byConsent: (url) => terminal(`claude mcp add --transport http sheaf ${url}/mcp`),
    byKey: (url, { apiKey }) =>
      terminal(`claude mcp add --transport http sheaf ${url}/mcp \\\n  --header "Authorization: Bearer ${apiKey}"`),
  },
  {
    id: 'claude',
    name: 'Claude',
    byConsent: (url) => [{ label: 'Settings > Connectors > Add custom connector', code: `${url}/mcp` }],
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    byConsent: (url) => [{ label: 'Settings > Apps & Connectors > Create > MCP Server URL', code: `${url}/mcp` }],
  },
  {
    id: 'codex',
    name: 'Codex',
    byConsent: (url) => terminal(`codex mcp add sheaf --url ${url}/mcp\ncodex mcp login sheaf`),
    byKey: (url, { apiKey }) =>
      terminal(
        `export SHEAF_API_KEY=${apiKey}\ncodex mcp add sheaf --url ${url}/mcp --bearer-token-env-var SHEAF_API_KEY`,
      ),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    byConsent: (url) => cursorFile({ url: `${url}/mcp` }),
    installLink: (url) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=sheaf&config=${encodeURIComponent(btoa(JSON.stringify({ url: `${url}/mcp` })))}`,
    byKey: (url, key) => cursorFile({ url: `${url}/mcp`, ...withKey(key) }),
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    byConsent: (url) => terminal(`code --add-mcp ${quoted({ name: 'sheaf', type: 'http', url: `${url}/mcp` })}`),
    installLink: (url) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'sheaf', type: 'http', url: `${url}/mcp` }))}`,
    byKey: (url, key) => [
      {
        label: '.vscode/mcp.json',
        code: json({ servers: { sheaf: { type: 'http', url: `${url}/mcp`, ...withKey(key) } } }),
      },
    ],
  },
  {
    id: 'goose',
    name: 'Goose',
    byConsent: (url) => gooseFile({ uri: `${url}/mcp` }),
    installLink: (url) =>
      `goose://extension?${new URLSearchParams({
        type: 'streamable_http',
        url: `${url}/mcp`,
        id: 'sheaf',
        name: 'sheaf',
        description: 'Knowledge bases, notes and spreadsheets',
        timeout: '300',
      }).toString()}`,
    byKey: (url, key) => gooseFile({ uri: `${url}/mcp`, ...withKey(key) }),
  },
  {
    id: 'mcp',
    name: 'MCP',
    byConsent: (url) => [
      { label: 'MCP', code: `${url}/mcp` },
      { label: 'MCP (?tools=core)', code: `${url}/mcp?tools=core` },
    ],
    byKey: (url, key) => [
      { label: 'MCP', code: json({ mcpServers: { sheaf: { type: 'http', url: `${url}/mcp`, ...withKey(key) } } }) },
      {
        label: 'curl',
        code: [
          `curl -s ${url}/mcp \\`,
          `  -H 'authorization: Bearer ${key.apiKey}' \\`,
          `  -H 'content-type: application/json' \\`,
          `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"account_get_me","arguments":{}}}'`,
        ].join('\n'),
      },
    ],
  },
  {
    id: 'http',
    name: 'HTTP',
    byKey: (url, key) => [
      {
        label: 'HTTP',
        code: [
          `curl -s ${url}/openapi/note/v1/search_note \\`,
          `  -H 'svc-openapi-clientid: ${key.clientId}' \\`,
          `  -H 'svc-openapi-apikey: ${key.apiKey}' \\`,
          `  -H 'content-type: application/json' \\`,
          `  -d '{"search_type":1,"query_info":{"content":"hello"},"start":0,"end":20}'`,
        ].join('\n'),
      },
    ],
  },
  {
    id: 'typescript',
    name: 'TypeScript',
    byKey: (url, key) => [
      {
        label: 'TypeScript',
        code: [
          `import { createClient } from 'sheaf/client';`,
          '',
          `const sheaf = createClient({`,
          `  url: '${url}',`,
          `  clientId: '${key.clientId}',`,
          `  apiKey: '${key.apiKey}',`,
          `});`,
          `console.log(await sheaf.account.get_me({}));`,
        ].join('\n'),
      },
    ],
  },
];
