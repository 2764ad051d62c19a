import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account } from '../../src/modules/account/index.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { defineModule } from '../../src/kernel/module.ts';
import { operation } from '../../src/kernel/operation.ts';
import { startS3 } from '@sheaf/tools/testing/s3.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { sha1Headers } from '@sheaf/tools/testing/signed-storage-requests.ts';
import { newGrant } from '../uploads/support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };
const keys = (key: Key = server.owner, prefix = 'svc-openapi') => ({
  [`${prefix}-clientid`]: key.clientId,
  [`${prefix}-apikey`]: key.apiKey,
});
const getMe = '/openapi/account/v1/get_me';

async function post(
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<{ status: number; body: any; headers: Headers }> {
  const response = await fetch(server.url + path, { method: 'POST', body, headers });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), headers: response.headers };
}

/** Sends a body whose length is not told beforehand. */
function inPieces(
  path: string,
  pieces: readonly string[],
): Promise<{ status: number; body: any; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(server.url + path, { method: 'POST', headers: { ...json, ...keys() } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(Buffer.concat(chunks).toString()),
          connection: response.headers.connection,
        }),
      );
    });
    request.on('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });
}

describe('HTTP', () => {
  test('answers in the envelope', async () => {
    const { status, body, headers } = await post(getMe, '{}', { ...json, ...keys() });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      code: 0,
      msg: 'success',
      data: { name: 'owner', role: 'owner', client_id: server.owner.clientId },
    });
    expect(headers.get('x-request-id')).toMatch(/^\w{16}$/);
  });

  test('takes the other header prefix, an empty body and a sent request id', async () => {
    const { status, body, headers } = await post(getMe, '', {
      ...keys(server.owner, 'ima-openapi'),
      'x-request-id': 'mine-1',
    });
    expect([status, body.code, headers.get('x-request-id')]).toEqual([200, 0, 'mine-1']);
  });

  test('[T45b] without a key every content type gets the authentication error', async () => {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      '',
    ]) {
      const { status, body } = await post(getMe, 'x', type === '' ? {} : { 'content-type': type });
      expect([type, status, body.code, body.data]).toEqual([type, 401, 20004, {}]);
    }
  });

  test('a wrong key, or the key of another client id, is 401', async () => {
    expect((await post(getMe, '{}', { ...json, ...keys({ ...server.owner, apiKey: 'sk_wrong' }) })).body.code).toBe(
      20004,
    );
    expect((await post(getMe, '{}', { ...json, ...keys({ ...server.owner, clientId: 'client_wrong' }) })).status).toBe(
      401,
    );
  });

  test('authentication is decided before the body is read', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        server.url + getMe,
        { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': '1000000' } },
        (response) => {
          resolve(response.statusCode ?? 0);
          request.destroy();
        },
      );
      request.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
      request.write('{');
    });
    expect(answer).toBe(401);
  });

  test('malformed JSON, wrong type, depth, size, UTF-8: each a clear envelope, and the server goes on', async () => {
    const headers = { ...json, ...keys() };
    const bad = await post(getMe, '{"a":', headers);
    expect([bad.status, bad.body.code]).toEqual([200, 410001]);
    expect(bad.body.msg).toContain('not JSON');
    const type = await post(getMe, 'a=1', { ...keys(), 'content-type': 'application/x-www-form-urlencoded' });
    expect([type.status, type.body.code]).toEqual([415, 410001]);
    const deep = await post(getMe, `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, headers);
    expect([deep.status, deep.body.code]).toEqual([200, 410001]);
    expect(deep.body.msg).toContain('nested deeper');
    const ten = await post(getMe, JSON.stringify({ a: 'x'.repeat(10_000_000) }), headers);
    // Read whole, and refused by what it says.
    expect(ten.body.msg).toContain('a: is not a field of get_me');
    const large = await post(getMe, JSON.stringify({ a: 'x'.repeat(17 * 2 ** 20) }), headers);
    expect([large.status, large.body.code]).toEqual([413, 410001]);
    const utf8 = await post(getMe, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), headers);
    expect([utf8.status, utf8.body.code]).toEqual([200, 410001]);
    expect(utf8.body.msg).toContain('UTF-8');
    const nul = await post('/openapi/account/v1/create_key', '{"name":"a\\u0000b"}', headers);
    expect(nul.body).toEqual({
      code: 410001,
      msg: 'name: must not contain the NUL character',
      data: {},
      error: nul.body.msg,
      trace_id: expect.any(String),
    });
    const array = await post(getMe, '[]', headers);
    expect(array.body).toEqual({
      code: 410001,
      msg: 'the request body must be a JSON object (got an array of 0)',
      data: {},
      error: array.body.msg,
      trace_id: expect.any(String),
    });
    expect((await post(getMe, '{}', headers)).body.code).toBe(0);
  });

  test('[T46] __proto__ and constructor keys change nothing', async () => {
    const sent = '"__proto__":{"content":"changed"},"constructor":{"prototype":{"polluted":1}}';
    const note = await post('/openapi/note/v1/import_doc', `{"content_format":1,"content":"kept",${sent}}`, {
      ...json,
      ...keys(),
    });
    const { note_id } = note.body.data;
    const read = { note_id, target_content_format: 0 };
    const { body } = await post('/openapi/note/v1/get_doc_content', JSON.stringify(read), { ...json, ...keys() });
    expect(body.data.content).toBe('kept');
    const own = await post('/openapi/account/v1/create_key', `{"name":"p",${sent}}`, { ...json, ...keys() });
    expect(own.body.code).toBe(410001);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test("an unknown operation is 404 in the module's own numbers, a wrong method says so", async () => {
    const unknown = await post('/openapi/account/v1/nope', '{}', { ...json, ...keys() });
    expect([unknown.status, unknown.body]).toEqual([
      404,
      {
        code: 410011,
        msg: 'there is no operation "nope" in account',
        error: 'there is no operation "nope" in account',
        trace_id: expect.any(String),
        data: {},
      },
    ]);
    const get = await fetch(server.url + getMe, { headers: keys() });
    expect(get.status).toBe(404);
    expect(((await get.json()) as { msg: string }).msg).toContain('called with POST');
    const nothing = await post('/nowhere', '{}', json);
    expect([nothing.status, nothing.body.data]).toEqual([404, {}]);
  });

  test('an unknown operation is told only to who may call, before its body is read', async () => {
    const { status, body } = await post('/openapi/account/v1/nope', 'x'.repeat(1000), json);
    expect([status, body.code]).toEqual([401, 20004]);
  });

  test('a body in pieces is one body, a query string changes nothing', async () => {
    const answer = await inPieces('/openapi/account/v1/create_key?x=1', ['{"name"', ':"é', '"}']);
    expect([answer.status, answer.body.code, answer.body.data.key.name]).toEqual([200, 0, 'é']);
  });

  test('requests sent without waiting on one connection, refused ones among them, are answered in their order', async () => {
    const { hostname, port } = new URL(server.url);
    const one = (id: string, key: Key, body: string): string =>
      [
        `POST ${getMe} HTTP/1.1`,
        `Host: ${hostname}`,
        'Content-Type: application/json',
        `x-request-id: ${id}`,
        `Content-Length: ${body.length}`,
        ...Object.entries(keys(key)).map(([name, value]) => `${name}: ${value}`),
        '',
        body,
      ].join('\r\n');
    const wrong = { ...server.owner, apiKey: 'sk_wrong' };
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(
      one('a', server.owner, '{}') +
        one('b', wrong, '{"x":1}') +
        one('c', server.owner, '{') +
        one('d', server.owner, '{ }'),
    );
    await expect
      .poll(() =>
        [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?x-request-id: (\w)[^]*?"code":(\d+)/gi)].map((found) => found.slice(1)),
      )
      .toEqual([
        ['200', 'a', '0'],
        ['401', 'b', '20004'],
        ['200', 'c', '410001'],
        ['200', 'd', '0'],
      ]);
    socket.destroy();
  });

  test('a body of unknown length past the limit gets 413, and the connection ends', async () => {
    const piece = 'x'.repeat(2 ** 20);
    const answer = await inPieces(getMe, ['{"a":"', ...Array.from({ length: 17 }, () => piece), '"}']);
    expect([answer.status, answer.body.code, answer.connection]).toEqual([413, 410001, 'close']);
    expect(answer.body.msg).toBe('the request body is larger than 16777216 bytes');
  });

  test('who breaks off in the middle of a body harms nobody', async () => {
    await new Promise<void>((resolve) => {
      const request = httpRequest(server.url + getMe, {
        method: 'POST',
        headers: { ...json, ...keys(), 'content-length': '1000' },
      });
      request.on('error', () => resolve());
      request.write('{"a":');
      setTimeout(() => request.destroy(new Error('gone')), 50);
    });
    expect((await post(getMe, '{}', { ...json, ...keys() })).body.code).toBe(0);
  });

  test('an answer that cannot be written as JSON is 500 with a request id, and the server goes on', async () => {
    const huge = operation({
      name: 'huge',
      summary: 'Counts.',
      effect: 'read',
      input: z.object({}),
      output: z.object({ count: z.bigint() }),
      run: async () => ({ count: 1n }),
    });
    const odd = await startServer({
      database: 'sqlite',
      modules: { account: defineModule({ ...account, operations: { ...account.operations, huge } }) },
      config: { checkOutput: false },
    });
    const headers = { ...json, ...keys(odd.owner) };
    const response = await fetch(`${odd.url}/openapi/account/v1/huge`, { method: 'POST', body: '{}', headers });
    const { msg } = (await response.json()) as { msg: string };
    expect([response.status, msg]).toEqual([
      500,
      `internal error; the server log has details under request id ${response.headers.get('x-request-id')}`,
    ]);
    expect((await fetch(odd.url + getMe, { method: 'POST', body: '{}', headers })).status).toBe(200);
    await odd.close();
  });

  test('numbers may come as text, errors name field, rule and value', async () => {
    const headers = { ...json, ...keys() };
    expect((await post('/openapi/account/v1/list_audit', '{"limit":"2"}', headers)).body.code).toBe(0);
    expect((await post('/openapi/account/v1/list_audit', '{"limit":101}', headers)).body.msg).toBe(
      'limit: must be at most 100 (got 101)',
    );
    expect((await post('/openapi/account/v1/create_key', '{}', headers)).body.msg).toBe('name: is required');
  });

  test('health, readiness, metrics, description', async () => {
    const text = async (path: string) => (await fetch(server.url + path)).text();
    expect(await text('/healthz')).toBe('ok\n');
    expect(await text('/readyz')).toBe('ready\n');
    expect(await text('/metrics')).toContain('sheaf_calls_total{operation="account.get_me",result="ok"}');
    const openapi = JSON.parse(await text('/openapi.json')) as { openapi: string; paths: object };
    expect(openapi.openapi).toBe('3.1.0');
    expect((openapi as unknown as { servers: unknown }).servers).toEqual([{ url: server.url }]);
    expect(Object.keys(openapi.paths)).toContain('/openapi/account/v1/get_me');
    const { paths } = openapi as {
      paths: Record<string, { post: { security: object[]; parameters?: { name: string }[]; responses: object } }>;
    };
    const ofKey = [{ apiKey: [] }, { clientId: [], apiKey: [] }];
    expect([
      paths['/openapi/note/v1/import_doc']!.post.security,
      paths['/openapi/sheet/v1/find']!.post.security,
    ]).toEqual([ofKey, [...ofKey, { bearer: [] }]]);
    expect(paths['/openapi/note/v1/import_doc']!.post.parameters?.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    expect(Object.keys(paths['/openapi/account/v1/get_me']!.post.responses)).toEqual([
      '200',
      '401',
      '413',
      '415',
      '429',
      '500',
      'default',
    ]);
    const samples = (await text('/metrics')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(samples.filter((line) => !/^[a-z_\d]+(\{[^}]*\})? (NaN|[-+]?Inf|[-+.\de]+)$/.test(line))).toEqual([]);
    expect(await text('/docs')).toContain('<h2>get_me</h2>');
    const skill = await post('/openapi/check_skill_update', '{}', json);
    expect(skill.body).toEqual({ code: 0, msg: 'success', data: {} });
  });

  test('[finding Q14] a server that lost its object store is well and ready, and warns', async () => {
    const s3 = await startS3();
    const config = {
      SHEAF_S3_ENDPOINT: s3.endpoint,
      SHEAF_S3_BUCKET: s3.bucket,
      SHEAF_S3_REGION: s3.region,
      SHEAF_S3_ACCESS_KEY: s3.accessKey,
      SHEAF_S3_SECRET_KEY: s3.secretKey,
    };
    const other = await startServer({ config });
    const answer = async (path: string): Promise<[number, string]> => {
      const response = await fetch(other.url + path);
      return [response.status, await response.text()];
    };
    expect(await answer('/readyz')).toEqual([200, 'ready\n']);
    await s3.stop();
    expect(await answer('/readyz')).toEqual([200, 'ready\nwarning: the object store is not responding\n']);
    expect(await answer('/healthz')).toEqual([200, 'ok\n']);
    await other.close();
  });

  test('[T80] a stop lets an upload under way finish; what was answered is stored', async () => {
    const second = await startServer({ database: 'sqlite' });
    const grant = await newGrant(second, { bytes: 10 });
    const status = new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        `${second.url}/${grant.cos_key}`,
        { method: 'PUT', headers: { ...sha1Headers(grant), 'content-length': '10' } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.on('error', reject);
      request.write('hello');
      request.once('socket', (socket) =>
        socket.once('connect', () =>
          setTimeout(() => {
            const closing = second.close();
            request.end('world');
            closing.catch(reject);
          }, 100),
        ),
      );
    });
    expect(await status).toBe(200);
    const stored = await new FilesystemBlobStore(join(second.folder, 'blobs')).get(grant.cos_key);
    expect(await buffer(stored!)).toEqual(Buffer.from('helloworld'));
  });

  test('a stop lets calls in progress finish', async () => {
    const second = await startServer({ database: 'sqlite' });
    const body = '{"name":"late"}';
    const headers = { ...json, ...keys(second.owner), 'content-length': String(body.length) };
    const answer = new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        `${second.url}/openapi/account/v1/create_key`,
        { method: 'POST', headers },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.on('error', reject);
      request.write(body.slice(0, 5));
      // The server has the request but not all of its body when the stop begins.
      request.once('socket', (socket) =>
        socket.once('connect', () =>
          setTimeout(() => {
            const closing = second.close();
            request.end(body.slice(5));
            closing.catch(reject);
          }, 100),
        ),
      );
    });
    expect(await answer).toBe(200);
  });
});
