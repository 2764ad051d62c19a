import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectionLimits } from '../../src/transports/http/connection-limits.ts';
import { IncomingRequest } from '../../src/transports/http/incoming-request.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

const limit = 16 * 2 ** 20;
const getMe = '/openapi/account/v1/get_me';
const headers = (path: string, ...more: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'content-type: application/json', ...more, '', ''].join('\r\n');
const keys = () => [`svc-openapi-clientid: ${server.owner.clientId}`, `svc-openapi-apikey: ${server.owner.apiKey}`];

/** What comes back on one connection until the server ends it or the text is complete. */
function exchange(
  pieces: readonly (string | Buffer)[],
  isComplete: (text: string) => boolean = () => false,
): Promise<{ text: string; error?: string }> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (isComplete(text)) {
        resolve({ text });
        socket.destroy();
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve({ text, error: error.code }));
    socket.on('close', () => resolve({ text }));
    for (const piece of pieces) socket.write(piece);
  });
}

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((found) => Number(found[1]));
const jsonOf = (text: string) => JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4));

describe('bodies', () => {
  test.each([
    [
      'an operation',
      getMe,
      {
        code: 410001,
        msg: 'the request body is larger than 16777216 bytes',
        error: 'the request body is larger than 16777216 bytes',
        trace_id: expect.any(String),
        data: {},
      },
    ],
    [
      'MCP',
      '/mcp',
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'the request body is larger than 16777216 bytes' } },
    ],
  ])(
    'who announces a byte too much and sends it all reads 413 from %s, not a broken connection',
    async (_name, path, expected) => {
      const { text, error } = await exchange([
        headers(path, ...keys(), `content-length: ${limit + 1}`),
        Buffer.alloc(limit + 1, 'a'),
      ]);
      expect([error, statusesOf(text), jsonOf(text)]).toEqual([undefined, [413], expected]);
    },
  );

  test('sign-in reads little from strangers', async () => {
    const { text } = await exchange([headers('/sign-in', 'content-length: 65537'), Buffer.alloc(65_537, 'a')]);
    expect([statusesOf(text), jsonOf(text).msg]).toEqual([[413], 'the request body is larger than 65536 bytes']);
  });

  test('exactly the limit is read', async () => {
    const start = '{"x":"';
    const body = Buffer.concat([Buffer.from(start), Buffer.alloc(limit - start.length - 2, 'a'), Buffer.from('"}')]);
    const { text } = await exchange([headers(getMe, ...keys(), `content-length: ${limit}`, 'connection: close'), body]);
    expect([statusesOf(text), jsonOf(text).msg]).toEqual([
      [200],
      expect.stringContaining('x: is not a field of get_me'),
    ]);
  });

  test('a body that was refused is not read for ever: past 32 MiB the connection ends', async () => {
    const pieces = Array.from({ length: 80 }, () => Buffer.alloc(2 ** 20, 'a'));
    const { text } = await exchange([headers(getMe, `content-length: ${1000 * 2 ** 20}`), ...pieces]);
    expect(statusesOf(text)).toEqual([401]);
  });

  test('who asks first whether to send the body is told 401 instead of yes', async () => {
    const asking = ['expect: 100-continue', 'content-length: 2'];
    const stranger = await exchange([headers(getMe, ...asking)], (text) => text.endsWith('}'));
    expect([statusesOf(stranger.text), jsonOf(stranger.text).code]).toEqual([[401], 20004]);
    const known = await exchange([headers(getMe, ...keys(), ...asking, 'connection: close'), '{}']);
    expect([statusesOf(known.text), jsonOf(known.text).code]).toEqual([[100, 200], 0]);
  });

  test.each([
    [
      'a bad chunk',
      () => headers(getMe, ...keys(), 'transfer-encoding: chunked') + 'ZZ\r\n{}\r\n',
      400,
      'the request is not valid HTTP: Invalid character in chunk size',
    ],
    [
      'two lengths',
      () => headers(getMe, ...keys(), 'content-length: 4', 'transfer-encoding: chunked') + '0\r\n\r\n',
      400,
      "the request is not valid HTTP: Transfer-Encoding can't be present with Content-Length",
    ],
    [
      'long headers',
      () => headers(getMe, `x: ${'a'.repeat(20_000)}`),
      431,
      'the request headers are larger than 16384 bytes',
    ],
  ])('%s gets an envelope', async (_name, request, status, msg) => {
    const { text } = await exchange([request()]);
    expect([statusesOf(text), jsonOf(text)]).toEqual([[status], { code: status, msg, error: msg, data: {} }]);
  });

  test('an unknown expectation gets an envelope', async () => {
    const { text } = await exchange([
      headers(getMe, ...keys(), 'expect: rain', 'content-length: 0', 'connection: close'),
    ]);
    expect(text).toContain('{"code":417,"msg":"expect: only 100-continue is supported (got \\"rain\\")","data":{}}');
  });

  test('the whole address in place of the path is the same request', async () => {
    const { text } = await exchange([
      headers(`http://127.0.0.1${getMe}`, ...keys(), 'content-length: 2', 'connection: close'),
      '{}',
    ]);
    expect([statusesOf(text), jsonOf(text).code]).toEqual([[200], 0]);
  });

  test('a parameter of the address that stands there twice is no fault of ours', async () => {
    expect((await fetch(`${server.url}/sign-in?token=a&token=b`, { redirect: 'manual' })).status).toBe(410);
    const listed = await fetch(`${server.url}/mcp?modules=note&modules=sheet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: server.owner.apiKey },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(listed.status).toBe(200);
  });
});

describe('[finding R6] a body that nobody asked for', () => {
  test.concurrent.each([
    ['PUT', '/nowhere', 404],
    ['POST', '/nowhere', 404],
    ['PUT', '/mcp', 405],
    ['DELETE', '/mcp', 405],
    ['PUT', '/files/x?signature=y', 403],
    ['POST', '/files/x', 404],
    ['PUT', '/sheaf-1250000000/x', 403],
    ['POST', '/healthz', 404],
    ['PUT', '/openapi/note/v1/import_doc', 401],
    ['POST', '/openapi/note/v1/nope', 401],
  ])(
    '%s %s is answered with %i before it is there, and the connection does not stay',
    async (method, path, status) => {
      const started = performance.now();
      const head = headers(path, `content-length: ${limit - 1}`).replace('POST', method);
      const { text } = await exchange([head, Buffer.alloc(2 ** 20, 'a')]);
      expect(statusesOf(text)).toEqual([status]);
      // Closed by the server, though the rest never came.
      expect(performance.now() - started).toBeLessThan(20_000);
    },
    30_000,
  );

  test('that is short enough leaves the connection for the next request', async () => {
    const body = 'a'.repeat(100_000);
    const { text } = await exchange([
      headers('/nowhere', `content-length: ${body.length}`),
      body,
      headers(getMe, ...keys(), 'content-length: 2', 'connection: close'),
      '{}',
    ]);
    expect(statusesOf(text)).toEqual([404, 200]);
  });
});

describe('connections', () => {
  test('a stop does not wait for those on which nothing was asked', async () => {
    const stopping = await startServer({ database: 'sqlite' });
    const silent = connect(Number(new URL(stopping.url).port), '127.0.0.1');
    const ended = new Promise<string>(
      (resolve) => void silent.on('close', () => resolve('ended')).on('error', () => undefined),
    );
    await new Promise((resolve) => silent.once('connect', resolve));
    // Answered on another connection, so the server has seen the silent one.
    await fetch(`${stopping.url}/healthz`);
    const stopped = stopping.close().then(() => 'stopped');
    expect(await Promise.race([ended, stopped])).toBe('ended');
    expect(await stopped).toBe('stopped');
  }, 8_000);

  /** A server whose requests are watched and never answered; `open` sends something to it. */
  async function watched(connections: ConnectionLimits) {
    const began: IncomingRequest[] = [];
    const http = createServer({ IncomingMessage: IncomingRequest }, (request) => {
      connections.onRequest(request);
      request.resume();
      began.push(request);
    });
    http.on('connection', (socket) => connections.onConnection(socket));
    await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
    const sockets: Socket[] = [];
    const open = (text: string) => {
      const socket = connect((http.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      socket.write(text);
      return socket;
    };
    const close = async () => {
      connections.stop();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => http.close(resolve));
    };
    return { began, open, close };
  }

  test.each(['POST', 'PUT'])(
    '[finding R6] a %s whose body does not come is ended after a minute; finished and new ones are not',
    async (method) => {
      const connections = new ConnectionLimits(20002);
      const { began, open, close } = await watched(connections);
      open(`${method} / HTTP/1.1\r\nHost: x\r\ncontent-length: 9\r\n\r\n{`);
      open(`${method} / HTTP/1.1\r\nHost: x\r\ncontent-length: 2\r\n\r\n{}`);
      await expect.poll(() => began.filter((request) => request.complete).length).toBe(1);
      await expect.poll(() => began.length).toBe(2);
      for (let look = 0; look < 6; look++) connections.closeStalled();
      expect(began.map((request) => request.socket.destroyed)).toEqual([false, false]);
      connections.closeStalled();
      expect(
        began.filter((request) => request.socket.destroyed).map((request) => request.headers['content-length']),
      ).toEqual(['9']);
      await close();
    },
  );

  test('[finding R6] a steady upload may take hours, a steady body of anything else five minutes', async () => {
    const connections = new ConnectionLimits(20002);
    const { began, open, close } = await watched(connections);
    const sockets = ['upload', 'other'].map((path) =>
      open(`PUT /${path} HTTP/1.1\r\nHost: x\r\ncontent-length: 90000000\r\n\r\n`),
    );
    await expect.poll(() => began.length).toBe(2);
    const upload = began.find((request) => request.url === '/upload')!;
    upload.isUpload = true;
    for (let look = 0; look < 32; look++) {
      const before = began.map((request) => request.socket.bytesRead);
      for (const socket of sockets) if (!socket.destroyed) socket.write(Buffer.alloc(64 * 1024));
      await expect
        .poll(() =>
          began.every(
            (request, index) => request.socket.destroyed || request.socket.bytesRead >= before[index]! + 64 * 1024,
          ),
        )
        .toBe(true);
      connections.closeStalled();
    }
    expect(began.filter((request) => !request.socket.destroyed)).toEqual([upload]);
    // It falls silent.
    for (let look = 0; look < 7; look++) connections.closeStalled();
    expect(upload.socket.destroyed).toBe(true);
    await close();
  });

  test('[finding R6] an address has so many connections and no more; one that closes makes room', async () => {
    const connections = new ConnectionLimits(20002, () => '203.0.113.7', 2);
    const { open, began, close } = await watched(connections);
    const first = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => began.length).toBe(2);
    const answerOf = (socket: Socket) =>
      new Promise<string>((resolve) => {
        let text = '';
        socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('close', () => resolve(text));
      });
    expect(await answerOf(open(''))).toMatch(/^HTTP\/1\.1 429 [^]*"code":20002/);
    first.destroy();
    await expect
      .poll(async () => {
        open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await new Promise((resolve) => setTimeout(resolve, 50));
        return began.length;
      })
      .toBe(3);
    await close();
  });
});
