/** MCP 2026-07-28 as it is on the wire: headers that repeat the body, event streams. */
import type { Key, TestServer } from '@sheaf/tools/testing/test-server.ts';

export function metaOf(capabilities: object = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

interface RpcOptions {
  /** An empty one is left out. */
  headers?: Record<string, string>;
  version?: 'modern' | 'older';
  as?: Key;
  query?: string;
  signal?: AbortSignal;
  onMessage?: (message: any) => void;
}

interface RpcAnswer {
  status: number;
  type: string;
  /** The last message. */
  body: any;
  /** Those of a stream; otherwise the one. */
  messages: any[];
}

export type Rpc = (method: string, params?: Record<string, unknown>, options?: RpcOptions) => Promise<RpcAnswer>;

export async function rpc(
  server: Pick<TestServer, 'url' | 'owner'>,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, version = 'modern', as = server.owner, query = '', signal, onMessage }: RpcOptions = {},
): Promise<RpcAnswer> {
  const response = await fetch(`${server.url}/mcp${query}`, {
    method: 'POST',
    headers: headersOf(method, params, version, as, headers),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: version === 'modern' ? { _meta: metaOf(), ...params } : params,
    }),
    signal,
  });
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
  const messages: any[] = [];
  if (type === 'text/event-stream')
    for await (const message of eventsOf(response)) {
      messages.push(message);
      onMessage?.(message);
    }
  else messages.push(await response.json());
  return { status: response.status, type, body: messages.at(-1), messages };
}

export function headersOf(
  method: string,
  params: Record<string, unknown>,
  version: string,
  as: Key,
  headers: Record<string, string>,
): Record<string, string> {
  const name = params['name'] ?? params['uri'];
  const all: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${as.apiKey}`,
    ...(version === 'modern'
      ? {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        }
      : {}),
    ...headers,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Yields the events of a stream as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<any> {
  let rest = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}

export interface ListenStream {
  next(): Promise<any>;
  close(): void;
}

export async function listen(
  server: Pick<TestServer, 'url' | 'owner'>,
  notifications: Record<string, unknown>,
  as: Key = server.owner,
  meta: Record<string, unknown> = metaOf(),
): Promise<ListenStream> {
  const cancel = new AbortController();
  const params = { notifications, _meta: meta };
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: headersOf('subscriptions/listen', params, 'modern', as, { accept: 'text/event-stream' }),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
    signal: cancel.signal,
  });
  const events = eventsOf(response);
  return {
    next: async () => (await events.next()).value,
    close: () => cancel.abort(),
  };
}
