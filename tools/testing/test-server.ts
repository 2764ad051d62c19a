/**
 * Starts the whole server on a free port, for tests that call it as clients do.
 *
 *     onSurface('note', 'get_doc_content', (call, server) => {
 *       test('[N21] ...', async () => {
 *         const answer = await call('import_doc', { content_format: 1, content: '# Hi' });   // as the first user
 *         const other = await server().newUser();
 *         expect(await call('get_doc_content', {...}, other)).toMatchObject({ code: 210005, data: {} });
 *       });
 *     });
 *
 * `onSurface` runs the suite on one pair of surface (HTTP or MCP) and database (see surface-database-pairs.ts). The
 * server is the built one (see load-product.ts), in the test's own process, so that tests can reach its clock and
 * internals. A response is always { code, msg, data }.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import type { App, AppOptions } from '@sheaf/server/app.ts';
import type { Config } from '@sheaf/server/config.ts';
import type { McpAdditions } from '@sheaf/server/transports/mcp/additions.ts';
import { callable, type Callable, type ModuleCall } from './call-client.ts';
import { pairsFor, type SurfaceDatabasePair } from './surface-database-pairs.ts';
import { freshPostgres } from './postgres.ts';
import { loadProduct, type ProductKind } from './load-product.ts';
import { startS3 } from './s3.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { BlobStoreName, DatabaseName } from './databases.ts';

export type { Answer, Key, ModuleCall, Surface } from './call-client.ts';

export interface TestServer extends Callable {
  readonly app: App;
  readonly folder: string;
  close(): Promise<void>;
}

export interface ServerOptions extends AppOptions {
  database?: DatabaseName;
  blobs?: BlobStoreName;
  config?: Partial<Config>;
  /**
   * Existing data folder, or existing database (`databaseUrl`), for tests that restart a server or start a second node.
   * New ones are created if undefined.
   */
  folder?: string;
  databaseUrl?: string;
  additions?: McpAdditions;
  /** Code to run: the built server (the default), or the source files for a test that passes its own modules. */
  product?: ProductKind;
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const folder = options.folder ?? (await temporaryFolder());
  const env: Record<string, string> = {
    NODE_ENV: 'test',
    SHEAF_DATA: folder,
    SHEAF_PORT: '0',
    SHEAF_RATE_LIMIT: '0',
    SHEAF_LOG_LEVEL: 'error',
  };
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
  const { createApp, readConfig, createHttpServer, firstStart } = await loadProduct(options.product ?? 'built');
  const app = await createApp(readConfig(env, options.config), options);
  const http = createHttpServer(app, { additions: options.additions });
  const url = await http.listen();
  const first = await firstStart(app, url);
  const owner = first
    ? { userId: first.credentials.user_id, clientId: first.credentials.client_id, apiKey: first.credentials.api_key }
    : { userId: '', clientId: '', apiKey: '' };
  return {
    ...callable(url, owner),
    app,
    folder,
    async close() {
      await http.close();
      await app.close();
      await s3?.stop();
    },
  };
}

export function eachServer(
  title: string,
  suite: (server: () => TestServer, database: DatabaseName) => void,
  options: ServerOptions = {},
): void {
  for (const database of ['sqlite', 'postgres'] as const) {
    describe(`${title} on ${database}`, () => suite(serverForSuite({ ...options, database }), database));
  }
}

/**
 * Runs the tests of one operation on one pair of surface (HTTP or MCP) and database (see surface-database-pairs.ts), or
 * on all `pairs` if given.
 */
export function onSurface(
  module: string,
  title: string,
  suite: (call: ModuleCall, server: () => TestServer) => void,
  { pairs = pairsFor(title), ...options }: ServerOptions & { pairs?: readonly SurfaceDatabasePair[] } = {},
): void {
  for (const database of new Set(pairs.map((pair) => pair.database))) {
    describe(`${title} on ${database}`, () => {
      const server = serverForSuite({ ...options, database });
      for (const { surface } of pairs.filter((pair) => pair.database === database)) {
        describe(`over ${surface}`, () =>
          suite((operation, input, as) => server().call(surface, module, operation, input, as), server));
      }
    });
  }
}

function serverForSuite(options: ServerOptions): () => TestServer {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(options);
  });
  afterAll(() => server?.close());
  return () => server;
}
