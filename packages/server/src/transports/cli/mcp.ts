import { createApp, type App } from '../../app.ts';
import type { ClientOptions } from '@sheaf/client';
import { readConfig } from '../../config.ts';
import { ClientAbortReason } from '../../lib/client-abort.ts';
import { randomText } from '../../lib/ids.ts';
import { splitJsonLines } from '../../lib/json-lines.ts';
import { McpHandler } from '../mcp/mcp-handler.ts';
import { metaKeys, mirroredNames, latestVersion } from '../mcp/request-meta.ts';
import { isObject, type JsonRpcMessage } from '../mcp/json-rpc.ts';
import { readMcpOptions } from '../mcp/tool-list.ts';
import { localOwner } from './admin.ts';
import { CommandError } from './command-error.ts';
import { findServerAndKey } from './find-credentials.ts';

type MessageHandler = (message: JsonRpcMessage, signal: AbortSignal) => Promise<unknown>;

/**
 * Serves MCP over stdin and stdout, one message per line. Messages are forwarded to the running server. If no server
 * answers and SHEAF_URL is not set, this process opens the data folder and answers itself.
 */
export async function mcpCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const unknown = args.find((word) => !/^(modules|names|tools|confirm|links)=/.test(word));
  if (unknown !== undefined)
    throw new CommandError(
      `${unknown}: pass tools=core, tools=all, modules=LIST, names=dotted, confirm=never or links=never; see "sheaf help mcp"`,
    );
  const query = args.join('&');
  const { answer, close } = await openMessageHandler(query, env);
  const underWay = new PendingRequests();
  for await (const line of splitJsonLines(process.stdin)) if (line.trim() !== '') underWay.take(line, answer);
  await underWay.end();
  await close();
  return 0;
}

/**
 * Tracks pending requests by id. All requests share stdin, so the client cancels a request by a separate message that
 * contains the request's id.
 */
class PendingRequests {
  readonly #tasks = new Set<Promise<void>>();
  readonly #requests = new Map<string | number, AbortController>();
  readonly #streams = new Set<AbortController>();

  take(line: string, answer: MessageHandler): void {
    let message: JsonRpcMessage;
    try {
      message = JSON.parse(line) as JsonRpcMessage;
    } catch (error) {
      write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: `not JSON: ${(error as Error).message}` } });
      return;
    }
    if (message.method === 'notifications/cancelled') {
      this.#requests.get(message.params?.['requestId'] as string | number)?.abort(new ClientAbortReason());
      return;
    }
    const task = this.#one(message, answer).finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  async #one(message: JsonRpcMessage, answer: MessageHandler): Promise<void> {
    const cancel = new AbortController();
    const { id, method } = message;
    if (id !== undefined && id !== null) this.#requests.set(id, cancel);
    if (method === 'subscriptions/listen') this.#streams.add(cancel);
    const reply = await answer(message, cancel.signal).catch((error: Error) => ({
      jsonrpc: '2.0',
      id: id ?? null,
      error: { code: -32603, message: error.message },
    }));
    this.#streams.delete(cancel);
    if (id !== undefined && id !== null && this.#requests.get(id) === cancel) this.#requests.delete(id);
    if (reply !== undefined && !cancel.signal.aborted) write(reply);
  }

  /**
   * Called at the end of the input. Ends the event streams, which do not end by themselves, and waits until the other
   * pending requests are answered.
   */
  async end(): Promise<void> {
    for (const stream of this.#streams) stream.abort(new ClientAbortReason());
    await Promise.all(this.#tasks);
  }
}

function write(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function openMessageHandler(
  query: string,
  env: NodeJS.ProcessEnv,
): Promise<{ answer: MessageHandler; close: () => Promise<void> }> {
  const options = await findServerAndKey(env).catch((error: unknown) => {
    if (error instanceof CommandError && !env['SHEAF_URL']) return undefined;
    throw error;
  });
  if (options && (env['SHEAF_URL'] || (await reachable(options.url))))
    return { answer: forwardToServer(options, query), close: async () => undefined };
  return runInProcess(query, env);
}

async function reachable(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.ok,
    () => false,
  );
}

function forwardToServer(options: ClientOptions, query: string): MessageHandler {
  return async (message, signal) => {
    const response = await fetch(`${options.url}/mcp${query === '' ? '' : `?${query}`}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${options.apiKey ?? ''}`,
        ...mirroredHeaders(message),
      },
      body: JSON.stringify(message),
      signal,
    });
    if (response.status === 202) return undefined;
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return readEventStream(response);
    const body = (await response.json()) as { id?: unknown };
    return message.id !== undefined && (body.id ?? null) === null ? { ...body, id: message.id } : body;
  };
}

/**
 * Returns the HTTP headers that repeat parts of the message. MCP over HTTP requires them since protocol version
 * 2026-07-28.
 */
function mirroredHeaders({ method = '', params }: JsonRpcMessage): Record<string, string> {
  const meta = params?.['_meta'];
  const version = isObject(meta) ? meta[metaKeys.version] : undefined;
  if (version !== latestVersion) return {};
  const name = params?.[mirroredNames[method] ?? ''];
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` } : {}),
  };
}

/**
 * Passes the notifications in an event stream on to the client as they arrive. Returns the last message, which is the
 * server's answer.
 */
async function readEventStream(response: Response): Promise<unknown> {
  let rest = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const message = JSON.parse(line.slice('data: '.length)) as JsonRpcMessage;
      if (message.method === undefined) return message;
      write(message);
    }
  }
  throw new Error('the connection to the server ended before its answer');
}

async function runInProcess(
  query: string,
  env: NodeJS.ProcessEnv,
): Promise<{ answer: MessageHandler; close: () => Promise<void> }> {
  const app: App = await createApp(readConfig(env, { SHEAF_LOG_LEVEL: 'error' }), { runJobs: 'if nobody else does' });
  if (!(await app.services.accounts.ownerExists())) {
    const { ensureInitialOwner } = await import('../../initial-owner.ts');
    await ensureInitialOwner(app, app.publicUrl.url);
  }
  const owner = (await app.services.accounts.listUsers()).find((user) => user.role === 'owner')!;
  const parameters = new URLSearchParams(query);
  const session = {
    ...readMcpOptions((name) => parameters.get(name)),
    caller: localOwner(owner),
    notify: write,
    acceptsStreams: true,
  };
  const answer: MessageHandler = (message, signal) =>
    new McpHandler(app, { ...session, requestId: randomText(16), signal }).handle(message);
  return { answer, close: () => app.close() };
}
