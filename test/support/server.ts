/**
 * The whole product on a free port, called as clients call it.
 *
 *   eachSurface('note', 'get_doc_content', (call, server) => {
 *     test('[N21] ...', async () => {
 *       const answer = await call('import_doc', { content_format: 1, content: '# Hi' });   // as the owner
 *       const other = await server().newUser();
 *       expect(await call('get_doc_content', {...}, other)).toMatchObject({ code: 210005, data: {} });
 *     });
 *   });
 *
 * runs the suite four times: over HTTP and over MCP, on sqlite and on postgres. An answer is always { code, msg, data }.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { createApp, type App, type AppOptions } from '../../src/app.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { createHttpServer } from '../../src/transports/http/server.ts';
import { firstStart } from '../../src/first-start.ts';
import { call as callHttp } from '../../src/client/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { freshPostgres } from './postgres.ts';
import { startS3 } from './s3.ts';
import { temporaryFolder } from './temp.ts';
import type { BlobStoreName, DatabaseName } from './databases.ts';

export interface Key {
  userId: string;
  clientId: string;
  apiKey: string;
}

export interface Answer {
  code: number;
  msg: string;
  // Tests look into answers with literals; the schemas are checked by the server itself.
  data: any;
}

export type Surface = 'http' | 'mcp';

export interface TestServer {
  readonly app: App;
  readonly url: string;
  readonly folder: string;
  readonly owner: Key;
  call(surface: Surface, module: string, operation: string, input: unknown, as?: Key): Promise<Answer>;
  /** A new member with a key of their own. */
  newUser(): Promise<Key>;
  close(): Promise<void>;
}

export interface ServerOptions extends AppOptions {
  database?: DatabaseName;
  blobs?: BlobStoreName;
  config?: Partial<Config>;
  /** Reuse this folder or database instead of new ones (restarts, second nodes). */
  folder?: string;
  databaseUrl?: string;
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const folder = options.folder ?? (await temporaryFolder());
  const env: Record<string, string> = { NODE_ENV: 'test', SHEAF_DATA: folder, SHEAF_PORT: '0', SHEAF_RATE_LIMIT: '0', SHEAF_LOG_LEVEL: 'error' };
  if (options.database === 'postgres') env['SHEAF_DATABASE_URL'] = options.databaseUrl ?? (await freshPostgres());
  const s3 = options.blobs === 's3' ? await startS3() : undefined;
  if (s3) {
    Object.assign(env, {
      SHEAF_S3_ENDPOINT: s3.endpoint,
      SHEAF_S3_BUCKET: s3.bucket,
      SHEAF_S3_REGION: s3.region,
      SHEAF_S3_ACCESS_KEY: s3.accessKey,
      SHEAF_S3_SECRET_KEY: s3.secretKey,
    });
  }
  const app = await createApp(readConfig(env, options.config), options);
  const http = createHttpServer(app);
  const url = await http.listen();
  const first = await firstStart(app, url);
  const owner = first
    ? { userId: first.credentials.user_id, clientId: first.credentials.client_id, apiKey: first.credentials.api_key }
    : { userId: '', clientId: '', apiKey: '' };
  const call: TestServer['call'] = (surface, module, operation, input, as = owner) =>
    surface === 'http' ? overHttp(url, module, operation, input, as) : overMcp(url, module, operation, input, as);
  return {
    app,
    url,
    folder,
    owner,
    call,
    async newUser() {
      const name = newId('u');
      const { data } = await call('http', 'account', 'create_user', { name });
      const { user_id: userId } = data.user as { user_id: string };
      const made = await call('http', 'account', 'create_key', { name: 'test', user_id: userId });
      return { userId, clientId: made.data.key.client_id as string, apiKey: made.data.api_key as string };
    },
    async close() {
      await http.close();
      await app.close();
      await s3?.stop();
    },
  };
}

async function overHttp(url: string, module: string, operation: string, input: unknown, as: Key): Promise<Answer> {
  const { code, msg, data } = await callHttp({ url, clientId: as.clientId, apiKey: as.apiKey }, module, operation, input);
  return { code, msg, data };
}

async function overMcp(url: string, module: string, operation: string, input: unknown, as: Key): Promise<Answer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: `${module}_${operation}`, arguments: input } }),
  });
  const message = (await response.json()) as { result?: McpResult; error?: { message: string } };
  if (!message.result) throw new Error(`MCP answered ${response.status}: ${message.error?.message}`);
  if (message.result.isError) return { ...(JSON.parse(message.result.content[0]!.text) as { code: number; msg: string }), data: {} };
  return { code: 0, msg: 'success', data: message.result.structuredContent };
}

interface McpResult {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

export type ModuleCall = (operation: string, input: unknown, as?: Key) => Promise<Answer>;

export function eachServer(title: string, suite: (server: () => TestServer, database: DatabaseName) => void, options: ServerOptions = {}): void {
  for (const database of ['sqlite', 'postgres'] as const) {
    describe(`${title} on ${database}`, () => {
      let server: TestServer;
      beforeAll(async () => {
        server = await startServer({ ...options, database });
      });
      afterAll(() => server?.close());
      suite(() => server, database);
    });
  }
}

export function eachSurface(module: string, title: string, suite: (call: ModuleCall, server: () => TestServer) => void, options: ServerOptions = {}): void {
  eachServer(
    title,
    (server) => {
      for (const surface of ['http', 'mcp'] as const) {
        describe(`over ${surface}`, () => suite((operation, input, as) => server().call(surface, module, operation, input, as), server));
      }
    },
    options,
  );
}
