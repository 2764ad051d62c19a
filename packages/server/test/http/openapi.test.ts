import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** The description, as programs that read it use it. */

const outside = fileURLToPath(new URL('../../../../tools/outside', import.meta.url));
const run = promisify(execFile);
let server: TestServer;
let description: any;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
  description = await (await fetch(`${server.url}/openapi.json`)).json();
});
afterAll(() => server.close());

const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'svc-openapi-apikey': server.owner.apiKey, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as any };
};

describe('[finding C9] the OpenAPI description', () => {
  test('every answer, a failure too, is as it is described', async () => {
    const { Ajv2020 } = createRequire(join(outside, 'package.json'))('ajv/dist/2020.js');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'openapi');
    const faults = (path: string, { status, body }: { status: number; body: unknown }): unknown => {
      const { responses } = description.paths[path].post;
      const schema = (responses[status] ?? responses.default).content['application/json'].schema;
      const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
      const isValid = ajv.compile(JSON.parse(text));
      return isValid(body) ? undefined : [path, status, body, isValid.errors];
    };
    const note = '/openapi/note/v1/import_doc';
    const made = await post(note, '{"content_format":1,"content":"# Pears"}');
    expect([made.body.code, faults(note, made)]).toEqual([0, undefined]);
    for (const path of Object.keys(description.paths)) {
      const refused = await post(path, '[]');
      expect([path, refused.body.code === 0, faults(path, refused)]).toEqual([path, false, undefined]);
    }
    const me = '/openapi/account/v1/get_me';
    for (const answer of [
      await post(me, '{}'),
      await post(me, '{}', { 'svc-openapi-apikey': 'sk_wrong' }),
      await post(me, '{}', { 'content-type': 'text/plain' }),
      await post(me, JSON.stringify({ a: 'x'.repeat(17 * 2 ** 20) })),
    ])
      expect(faults(me, answer)).toBeUndefined();
    // A success is not taken for a failure, nor the other way round.
    expect(faults(me, { status: 200, body: { code: 0, msg: 'success', data: {}, error: '' } })).toBeDefined();
    expect(faults(me, { status: 401, body: { code: 20004, msg: 'x', data: {} } })).toBeDefined();
  }, 120_000);

  test('one key header suffices, and is described so', async () => {
    const { security } = description.paths['/openapi/wiki/v1/search_knowledge_base'].post;
    expect(security[0]).toEqual({ apiKey: [] });
    expect((await post('/openapi/wiki/v1/search_knowledge_base', '{"query":"","cursor":"","limit":1}')).body.code).toBe(
      0,
    );
  });

  test('openapi-typescript and @hey-api/openapi-ts make clients of it that compile with TypeScript 5', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-consumer-'));
    try {
      await symlink(join(outside, 'node_modules'), join(folder, 'node_modules'));
      await cp(join(outside, 'consumer.ts'), join(folder, 'consumer.ts'));
      await mkdir(join(folder, 'generated'));
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(description));
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const bin = (name: string): string => join(outside, 'node_modules', '.bin', name);
      const options = { cwd: folder, maxBuffer: 2 ** 26 };
      await run(bin('openapi-typescript'), ['openapi.json', '-o', 'generated/openapi-typescript.d.ts'], options);
      await run(bin('openapi-ts'), ['-i', 'openapi.json', '-o', 'generated/hey-api'], options);
      const compiler = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
      const done = await run(
        bin('tsc'),
        [...compiler, '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', 'consumer.ts'],
        options,
      ).catch((error: { stdout: string }) => error);
      expect(done.stdout).toBe('');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 240_000);
});
