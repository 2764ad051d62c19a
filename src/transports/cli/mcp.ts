import { createApp, type App } from '../../app.ts';
import type { ClientOptions } from '../../client/index.ts';
import { readConfig } from '../../config.ts';
import { randomText } from '../../lib/ids.ts';
import { linesOf } from '../../lib/lines.ts';
import { McpHandler } from '../mcp/handler.ts';
import type { JsonRpcMessage } from '../mcp/rpc.ts';
import { CommandError } from './command-error.ts';
import { connectionByKey } from './connection.ts';

type Answerer = (message: JsonRpcMessage) => Promise<unknown>;

/**
 * The Model Context Protocol on stdin and stdout, one message a line. Messages go to the running server; when none
 * answers and no SHEAF_URL is set, the product runs inside this process on the data folder.
 */
export async function mcpCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const unknown = args.find((word) => !/^(modules|names|tools)=/.test(word));
  if (unknown !== undefined)
    throw new CommandError(
      `${unknown}: pass tools=core, tools=all, modules=LIST or names=dotted; see "sheaf help mcp"`,
    );
  const query = args.join('&');
  const { answer, close } = await answerer(query, env);
  const underWay = new Set<Promise<void>>();
  for await (const line of linesOf(process.stdin)) {
    if (line.trim() === '') continue;
    const task = one(line, answer).finally(() => underWay.delete(task));
    underWay.add(task);
  }
  await Promise.all(underWay);
  await close();
  return 0;
}

async function one(line: string, answer: Answerer): Promise<void> {
  let message: JsonRpcMessage;
  try {
    message = JSON.parse(line) as JsonRpcMessage;
  } catch (error) {
    write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: `not JSON: ${(error as Error).message}` } });
    return;
  }
  const reply = await answer(message).catch((error: Error) => ({
    jsonrpc: '2.0',
    id: message.id ?? null,
    error: { code: -32603, message: error.message },
  }));
  if (reply !== undefined) write(reply);
}

function write(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function answerer(
  query: string,
  env: NodeJS.ProcessEnv,
): Promise<{ answer: Answerer; close: () => Promise<void> }> {
  const options = await connectionByKey(env).catch((error: unknown) => {
    if (error instanceof CommandError && !env['SHEAF_URL']) return undefined;
    throw error;
  });
  if (options && (env['SHEAF_URL'] || (await reachable(options.url))))
    return { answer: throughServer(options, query), close: async () => undefined };
  return inThisProcess(query, env);
}

async function reachable(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.ok,
    () => false,
  );
}

function throughServer(options: ClientOptions, query: string): Answerer {
  return async (message) => {
    const response = await fetch(`${options.url}/mcp${query === '' ? '' : `?${query}`}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${options.apiKey ?? ''}` },
      body: JSON.stringify(message),
    });
    if (response.status === 202) return undefined;
    const body = (await response.json()) as { id?: unknown };
    return message.id !== undefined && body.id === null ? { ...body, id: message.id } : body;
  };
}

async function inThisProcess(
  query: string,
  env: NodeJS.ProcessEnv,
): Promise<{ answer: Answerer; close: () => Promise<void> }> {
  const app: App = await createApp(readConfig(env, { SHEAF_LOG_LEVEL: 'error' }), { runJobs: 'if nobody else does' });
  if (!(await app.services.accounts.ownerExists())) {
    const { firstStart } = await import('../../first-start.ts');
    await firstStart(app, app.address.url);
  }
  const owner = (await app.services.accounts.listUsers()).find((user) => user.role === 'owner')!;
  const parameters = new URLSearchParams(query);
  const handler = new McpHandler(app, {
    caller: {
      userId: owner.id,
      userName: owner.name,
      role: 'owner',
      clientId: '',
      keyId: '',
      modules: ['*'],
      access: 'write',
      via: 'local',
    },
    requestId: randomText(16),
    signal: new AbortController().signal,
    listed: {
      tools: parameters.get('tools') ?? undefined,
      modules: parameters.get('modules')?.split(','),
      dotted: parameters.get('names') === 'dotted',
    },
  });
  return { answer: (message) => handler.handle(message), close: () => app.close() };
}
