/** Calls a running server in the same way over HTTP and over MCP. */
import { call as callHttp } from '@sheaf/client';
import { newId } from '@sheaf/server/lib/ids.ts';

export interface Key {
  userId: string;
  clientId: string;
  apiKey: string;
}

export interface Answer {
  code: number;
  msg: string;
  // Response data, untyped because tests compare it with literals and the server validates the schemas.
  data: any;
}

export type Surface = 'http' | 'mcp';
export type Call = (surface: Surface, module: string, operation: string, input: unknown, as?: Key) => Promise<Answer>;
export type ModuleCall = (operation: string, input: unknown, as?: Key) => Promise<Answer>;

/** A running server and functions to call it as clients do. */
export interface Callable {
  readonly url: string;
  readonly owner: Key;
  readonly call: Call;
  /** Creates a user who is not an owner of the server and returns an API key of the user. */
  newUser(): Promise<Key>;
}

export function callable(url: string, owner: Key): Callable {
  const call: Call = (surface, module, operation, input, as = owner) =>
    surface === 'http' ? overHttp(url, module, operation, input, as) : overMcp(url, module, operation, input, as);
  return {
    url,
    owner,
    call,
    async newUser() {
      const name = newId('u');
      const { data } = await call('http', 'account', 'create_user', { name });
      const { user_id: userId } = data.user as { user_id: string };
      const made = await call('http', 'account', 'create_key', { name: 'test', user_id: userId });
      return { userId, clientId: made.data.key.client_id as string, apiKey: made.data.api_key as string };
    },
  };
}

/** Calls an operation over HTTP and returns its data; throws if it fails. */
export async function callOrThrow(
  { call }: Pick<Callable, 'call'>,
  as: Key,
  module: string,
  operation: string,
  input: unknown,
): Promise<Answer['data']> {
  const { code, msg, data } = await call('http', module, operation, input, as);
  if (code !== 0) throw new Error(`${operation}: ${code} ${msg}`);
  return data;
}

async function overHttp(url: string, module: string, operation: string, input: unknown, as: Key): Promise<Answer> {
  const { code, msg, data } = await callHttp(
    { url, clientId: as.clientId, apiKey: as.apiKey },
    module,
    operation,
    input,
  );
  return { code, msg, data };
}

async function overMcp(url: string, module: string, operation: string, input: unknown, as: Key): Promise<Answer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.apiKey}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: `${module}_${operation}`, arguments: input },
    }),
  });
  const message = (await response.json()) as { result?: McpResult; error?: { message: string } };
  if (!message.result) throw new Error(`MCP answered ${response.status}: ${message.error?.message}`);
  if (message.result.isError) {
    const { code, msg } = JSON.parse(message.result.content[0]!.text) as { code: number; msg: string };
    return { code, msg, data: {} };
  }
  // MCP returns a picture as an image block and empties its field in the structured content. Put it back into the field
  // `content`, so that HTTP and MCP give the same result.
  const image = message.result.content.find(({ type }) => type === 'image')?.data;
  const data = message.result.structuredContent;
  return {
    code: 0,
    msg: 'success',
    data: image !== undefined && data?.['content'] === '' ? { ...data, content: image } : data,
  };
}

interface McpResult {
  isError?: boolean;
  content: { type: string; text: string; data?: string }[];
  structuredContent?: Record<string, unknown>;
}
