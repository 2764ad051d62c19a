import { describe, expect, onTestFinished, test } from 'vitest';
import { callable, type Callable, type Key } from '../../testing/call-client.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { ownerKey, startNode } from '../../testing/node-process.ts';
import { freshPostgres } from '../../testing/postgres.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { KnownIds } from './known-ids.ts';
import { createVictim } from './victim.ts';
import { SchemaValues, type Schema } from './schema-values.ts';

const calls = Number(process.env['SHEAF_FUZZ_CALLS'] ?? 600);
const seed = Number(process.env['SHEAF_FUZZ_SEED'] ?? 1);
const callers = 6;
const answerMs = 60_000;
const seedEvery = 150;
const longEnoughForMemory = 20_000;

interface Described {
  readonly path: string;
  readonly tool: string;
  readonly module: string;
  readonly schema: Schema;
  readonly example?: Record<string, unknown>;
  /** Error code for internal errors, which a fuzz call must never cause. */
  readonly internal: number;
}

/** Lists all operations from the server's OpenAPI description. */
async function operationsOf(url: string): Promise<Described[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { post: Record<string, any> }>;
  };
  return Object.entries(paths).map(([path, { post }]) => ({
    path,
    tool: post['operationId'] as string,
    module: path.split('/')[2]!,
    schema: post['requestBody'].content['application/json'].schema as Schema,
    ...exampleIn(post['description'] as string),
    internal: Number(/code (\d+)/.exec(post['responses']['500'].description as string)![1]),
  }));
}

/** Returns the example at the end of an operation's description; {} if it has none. */
function exampleIn(description: string): { example?: Record<string, unknown> } {
  const text = /Example: (\{.*\})/s.exec(description)?.[1];
  try {
    return text === undefined ? {} : { example: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return {};
  }
}

interface Reply {
  readonly status: number;
  readonly code: number;
  readonly text: string;
  readonly data: unknown;
}

async function overHttp(url: string, { path }: Described, body: string, key: Key): Promise<Reply> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'svc-openapi-clientid': key.clientId,
      'svc-openapi-apikey': key.apiKey,
    },
    body,
    signal: AbortSignal.timeout(answerMs),
  });
  const text = await response.text();
  const { code, data } = JSON.parse(text) as { code: number; data?: unknown };
  return { status: response.status, code, text, data };
}

async function overMcp(url: string, { tool }: Described, body: string, key: Key): Promise<Reply> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.apiKey}` },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":${body}}}`,
    signal: AbortSignal.timeout(answerMs),
  });
  const text = await response.text();
  const { result, error } = JSON.parse(text) as {
    result?: { isError?: boolean; content: { text?: string }[]; structuredContent?: unknown };
    error?: { code: number };
  };
  if (!result) return { status: response.status, code: error?.code ?? -1, text, data: undefined };
  const code = result.isError ? ((JSON.parse(result.content[0]?.text ?? '{}') as { code?: number }).code ?? -1) : 0;
  return { status: response.status, code, text, data: result.structuredContent };
}

async function memoryOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)![1]) / 2 ** 20;
}

/** Creates objects that the calls can use. It is called repeatedly, because calls may delete the objects. */
async function provide(server: Callable, key: Key, learned: KnownIds): Promise<void> {
  const made = [
    await server.call('http', 'manage', 'create_file', { title: 'Fuzz' }, key),
    await server.call('http', 'note', 'import_doc', { content_format: 1, content: '# Fuzz\n\nsome text' }, key),
    await server.call('http', 'wiki', 'create_knowledge_base', { name: 'Fuzz' }, key),
  ];
  for (const { data } of made) learned.collect(data);
  const [file, , base] = made.map(({ data }) => data as Record<string, string>);
  const place = { file_id: file!['file_id'], sheet_id: file!['sheet_id'] };
  const rows = [
    ['item', 'count'],
    ['pear', 3],
    ['leek', 5],
    ['pear', '=B2+1'],
  ];
  await server.call('http', 'sheet', 'append_rows', { ...place, rows }, key);
  const knowledge = { knowledge_base_id: base!['knowledge_base_id'] };
  const upload = { ...knowledge, file_name: 'a.md', content: Buffer.from('# Pears').toString('base64') };
  learned.collect((await server.call('http', 'wiki', 'upload_knowledge', upload, key)).data);
  learned.collect((await server.call('http', 'wiki', 'create_folder', { ...knowledge, name: 'Folder' }, key)).data);
}

for (const database of ['sqlite', 'postgres'] as const) {
  describe(`any call on ${database}`, () => {
    test(
      `${calls} calls made up from the registry (seed ${seed}): no internal error, nothing of anybody else, flat memory`,
      { timeout: 300_000 + calls * 60 },
      async () => {
        const folder = await temporaryFolder();
        const own: Record<string, string> =
          database === 'postgres' ? { SHEAF_DATABASE_URL: await freshPostgres() } : {};
        // With NODE_ENV=test the server validates every response against its schema.
        const node = await startNode({ folder, env: { NODE_ENV: 'test', ...own } });
        onTestFinished(async () => void (await node.stop()));
        const server = callable(node.url, await ownerKey(folder));
        const operations = await operationsOf(node.url);
        const other = await createVictim(server);
        const before = await other.view();
        const faults: string[] = [];
        const codes = new Map<string, number>();
        const memory: number[] = [];
        const reached = new Set<string>();
        let left = calls;
        const caller = async (chance: SeededRandom): Promise<void> => {
          let key = await server.newUser();
          const learned = new KnownIds();
          for (const thing of other.created) learned.collectForeign(thing);
          const values = new SchemaValues(chance, learned);
          for (let turn = 0; left > 0; turn++) {
            left--;
            if (turn % seedEvery === 0) await provide(server, key, learned);
            const operation = chance.oneOf(operations);
            const body = JSON.stringify(values.input(operation.schema, operation.example));
            const isMcp = chance.happens(0.2);
            const what = `${isMcp ? 'MCP ' : ''}${operation.tool} ${body.slice(0, 600)}`;
            try {
              const send = isMcp ? overMcp : overHttp;
              const { status, code, text, data } = await send(node.url, operation, body, key);
              const kind = code === 0 ? 'done' : status === 503 ? 'busy' : 'refused';
              codes.set(kind, (codes.get(kind) ?? 0) + 1);
              if (status === 500 || code === operation.internal)
                faults.push(`internal: ${what} -> ${text.slice(0, 300)}`);
              if (text.includes(other.secret)) faults.push(`somebody else's: ${what} -> ${text.slice(0, 300)}`);
              if (code === 0) {
                learned.collect(data);
                reached.add(operation.tool);
              }
              // The call may have revoked its own key or deleted its user: continue as a new user.
              if (status === 401) key = await server.newUser();
            } catch (error) {
              faults.push(`no answer: ${what} -> ${String((error as Error).cause ?? error)}`);
            }
            if (left % Math.ceil(calls / 40) === 0) memory.push(await memoryOf(node.url));
          }
        };
        const chance = new SeededRandom(seed);
        await Promise.all(Array.from({ length: callers }, () => caller(chance.fork())));
        const quarter = Math.floor(memory.length / 4);
        const median = (some: number[]): number => some.toSorted((a, b) => a - b)[some.length >> 1]!;
        const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
        console.log(
          `${calls} calls of ${operations.length} operations on ${database}, ${reached.size} of which succeeded at least once: ` +
            `${[...codes].map(([kind, count]) => `${kind} ${count}`).join(', ')}; ` +
            `memory ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the last`,
        );
        expect([...new Set(faults)].slice(0, 40)).toEqual([]);
        expect(node.isAlive() ? 'alive' : node.log()).toBe('alive');
        expect(await other.view()).toEqual(before);
        expect(codes.get('done')).toBeGreaterThan(calls / 10);
        if (calls >= longEnoughForMemory) expect(late).toBeLessThan(1.3 * early + 50);
      },
    );
  });
}
