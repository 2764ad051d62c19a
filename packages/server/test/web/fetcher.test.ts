import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AddressExemptions, isPublicAddress } from '../../src/adapters/web/address-rules.ts';
import { GuardedWebFetcher } from '../../src/adapters/web/guarded-fetcher.ts';
import type { Resolve } from '../../src/adapters/web/guarded-connect.ts';
import { checkUrl } from '../../src/adapters/web/url-rules.ts';
import type { FetchRefused } from '../../src/ports/web-fetcher.ts';
import { startCanary, type Canary } from './canary.ts';

const caps = { maxBytes: 2 ** 20, timeoutMs: 10_000 };
const reasonOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fetched',
    (error: FetchRefused) => error.reason,
  );
const textOf = async (fetcher: GuardedWebFetcher, url: string): Promise<string> => {
  const { body } = await fetcher.fetch(url, caps);
  const bytes = await body.read();
  await body.discard();
  return Buffer.from(bytes).toString();
};
const verdict = (url: string, allow: string[] = []): string => {
  try {
    checkUrl(url, new AddressExemptions(allow));
    return 'allowed';
  } catch (error) {
    return (error as FetchRefused).reason;
  }
};

describe("the guard's decision", () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '0.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ])('[T1] %s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(verdict(`http://${address}/`)).toBe('private_address');
  });

  test.each([
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '::127.0.0.1',
    'fec0::1',
    '100::1',
    '5f00::1',
  ])('[T1] [%s] is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(verdict(`http://[${address}]/`)).toBe('private_address');
  });

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0x7f000001/',
    'http://127.1/',
    'http://127。0。0。1/',
    'http://１２７.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://127.0.0.1./',
  ])('[T2] %s is seen through', (url) => {
    expect(verdict(url)).toBe('private_address');
  });

  test.each([
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'data:text/html,hi',
    'javascript:alert(1)',
    'ws://example.com/',
    'blob:http://example.com/x',
  ])('[T5] %s', (url) => {
    expect(verdict(url)).toBe('scheme');
  });

  test.each(['http://user:pass@example.com/', 'http://user@example.com/', 'https://:pass@example.com/'])(
    '[T5] %s',
    (url) => {
      expect(verdict(url)).toBe('credentials');
    },
  );

  test.each([
    'http://example.com:22/',
    'http://example.com:6379/',
    'http://example.com:25/',
    'http://example.com:5432/',
    'https://example.com:11211/',
    'http://example.com:0/',
  ])('[T6] %s', (url) => {
    expect(verdict(url)).toBe('port');
  });

  test.each([
    'http://example.com/\r\nHost: evil',
    'http://exam\nple.com/',
    'http://example.com/\ta',
    ' http://example.com/',
    'http://example.com\\@evil.com/',
    'not a url',
    '',
    'http://',
    `http://example.com/${'a'.repeat(9000)}`,
  ])('[T6] %j is no URL', (url) => {
    expect(verdict(url)).toBe('bad_url');
  });

  test('ordinary addresses pass', () => {
    for (const url of [
      'http://example.com/',
      'https://example.com/a?b#c',
      'http://example.com:8080/',
      'https://例え.jp/路',
      'http://8.8.8.8/',
    ])
      expect(verdict(url)).toBe('allowed');
  });

  test('SHEAF_FETCH_ALLOW exempts names, addresses and ranges, and nothing beside them', () => {
    expect(verdict('http://10.1.2.3/', ['10.0.0.0/8'])).toBe('allowed');
    expect(verdict('http://192.168.0.1/', ['10.0.0.0/8'])).toBe('private_address');
    expect(verdict('http://127.0.0.1/', ['127.0.0.1'])).toBe('allowed');
    expect(verdict('http://127.0.0.2/', ['127.0.0.1'])).toBe('private_address');
    expect(verdict('http://[::ffff:10.0.0.1]/', ['10.0.0.0/8'])).toBe('allowed');
    expect(verdict('http://[fd00::5]/', ['fd00::/8'])).toBe('allowed');
    expect(verdict('http://wiki.local:22/', ['wiki.local'])).toBe('allowed');
  });
});

describe('the fetcher', () => {
  let canary: Canary;
  let page: Canary;
  let strict: GuardedWebFetcher;
  let open: GuardedWebFetcher;
  let routes: Record<string, (response: import('node:http').ServerResponse) => void>;

  beforeAll(async () => {
    canary = await startCanary();
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
    const brotliBomb = brotliCompressSync(Buffer.alloc(32 * 2 ** 20));
    routes = {
      '/page': (response) =>
        response.writeHead(200, { 'content-type': 'Text/HTML; charset=UTF-8' }).end('<p>hello</p>'),
      '/named': (response) =>
        response
          .writeHead(200, {
            'content-type': 'application/pdf',
            'content-length': '4',
            'content-disposition': "attachment; filename*=UTF-8''%E6%8A%A5%E5%91%8A.pdf",
          })
          .end('%PDF'),
      '/hop': (response) => response.writeHead(302, { location: '/page' }).end(),
      '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
      '/to-scheme': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      '/to-login': (response) =>
        response.writeHead(302, { location: `http://user:pass@127.0.0.1:${page.port}/page` }).end(),
      '/to-other': (response) => response.writeHead(302, { location: `http://127.0.0.2:${canary.port}/` }).end(),
      '/to-metadata': (response) =>
        response.writeHead(301, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
      '/refresh': (response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', refresh: `0; url=${canary.url}/` })
          .end(`<meta http-equiv="refresh" content="0; url=${canary.url}/">`),
      '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed by gzip')),
      '/br': (response) =>
        response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed by brotli')),
      '/deflate': (response) =>
        response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed by deflate')),
      '/twice': (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync('packed twice'))),
      '/thrice': (response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end('x'),
      '/odd': (response) => response.writeHead(200, { 'content-encoding': 'compress' }).end('x'),
      '/torn': (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000)).subarray(0, 20)),
      '/bomb': (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }).end(bomb),
      '/brotli-bomb': (response) =>
        response.writeHead(200, { 'content-encoding': 'br', 'content-type': 'text/html' }).end(brotliBomb),
      '/large': (response) =>
        response.writeHead(200, { 'content-length': String(3 * 2 ** 20) }).end(Buffer.alloc(3 * 2 ** 20)),
      '/endless': (response) => {
        response.writeHead(200);
        const more = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
        response.on('close', () => clearInterval(more));
      },
      '/drip': (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const more = setInterval(() => response.write('a'), 50);
        response.on('close', () => clearInterval(more));
      },
      '/silent': () => undefined,
      '/gone': (response) => response.writeHead(404).end('no'),
      '/broken': (response) => response.writeHead(500).end('no'),
      '/endless-gzip': (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        const zip = createGzip();
        zip.pipe(response);
        const more = setInterval(() => zip.write(Buffer.alloc(2 ** 20)), 1);
        response.on('close', () => clearInterval(more));
      },
    };
    page = await startCanary((request, response) => (routes[request.url!] ?? routes['/gone']!)(response));
    strict = new GuardedWebFetcher({ allow: [], userAgent: 'test' });
    open = new GuardedWebFetcher({ allow: ['127.0.0.1'], userAgent: 'test' });
  });
  afterAll(async () => {
    await strict.close();
    await open.close();
    await canary.close();
    await page.close();
  });

  test('[T1] [T2] [T11] neither a fetch nor a probe connects to this machine, however it is written', async () => {
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '0.0.0.0',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
    ]) {
      const url = `http://${host}:${canary.port}/`;
      expect([url, await reasonOf(strict.fetch(url, caps))]).toEqual([url, 'private_address']);
      expect([url, await reasonOf(strict.probe(url, caps))]).toEqual([url, 'private_address']);
    }
    expect(canary.connections()).toBe(0);
  });

  test('[T3] redirects are judged at every hop; a refresh in the page is not followed', async () => {
    expect(await reasonOf(open.fetch(`${page.url}/to-other`, caps))).toBe('private_address');
    expect(await reasonOf(open.probe(`${page.url}/to-metadata`, caps))).toBe('private_address');
    expect(await reasonOf(open.fetch(`${page.url}/to-scheme`, caps))).toBe('scheme');
    expect(await reasonOf(open.fetch(`${page.url}/to-login`, caps))).toBe('credentials');
    expect(await reasonOf(open.fetch(`${page.url}/round`, caps))).toBe('too_many_redirects');
    expect((await open.fetch(`${page.url}/refresh`, caps)).finalUrl).toBe(`${page.url}/refresh`);
    expect((await open.probe(`${page.url}/hop`, caps)).finalUrl).toBe(`${page.url}/page`);
    expect(canary.connections()).toBe(0);
  });

  test('[T4] [T10] a name is judged by the address it has at the moment of connecting, every time', async () => {
    const answers: string[] = [];
    let asked = 0;
    const resolve: Resolve = (_host, callback) => {
      asked++;
      const address = answers.shift() ?? '127.0.0.1';
      callback(null, [{ address, family: 4 }]);
    };
    const rebound = new GuardedWebFetcher({ allow: [], userAgent: 'test', resolve });
    expect(await reasonOf(rebound.fetch(`http://rebind.test:${canary.port}/`, caps))).toBe('private_address');
    expect(await reasonOf(rebound.fetch(`http://rebind.test:${canary.port}/`, caps))).toBe('private_address');
    expect(asked).toBe(2);
    await rebound.close();
    expect(canary.connections()).toBe(0);

    // An allowed address once, another the next time: the socket goes where the check went, and is refused the second time.
    const moving = new GuardedWebFetcher({ allow: ['127.0.0.1'], userAgent: 'test', resolve });
    answers.push('127.0.0.1', '127.0.0.2');
    expect(await reasonOf(moving.fetch(`http://moving.test:${page.port}/page`, caps))).toBe('fetched');
    expect(await reasonOf(moving.fetch(`http://moving.test:${page.port}/page`, caps))).toBe('private_address');
    expect(asked).toBe(4);
    await moving.close();
  });

  test('[T4] one private address among public ones is enough to refuse', async () => {
    const mixed = new GuardedWebFetcher({
      allow: [],
      userAgent: 'test',
      resolve: (_host, callback) =>
        callback(null, [
          { address: '8.8.8.8', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ]),
    });
    expect(await reasonOf(mixed.fetch(`http://mixed.test:${canary.port}/`, caps))).toBe('private_address');
    await mixed.close();
    expect(canary.connections()).toBe(0);
  });

  test('what cannot be resolved or reached says so', async () => {
    const nowhere = new GuardedWebFetcher({
      allow: [],
      userAgent: 'test',
      resolve: (_host, callback) => callback(new Error('ENOTFOUND'), []),
    });
    expect(await reasonOf(nowhere.fetch('http://nowhere.test/', caps))).toBe('unresolvable');
    await nowhere.close();
    expect(await reasonOf(open.fetch(`${page.url}/gone`, caps))).toBe('status');
    await expect(open.probe(`${page.url}/broken`, caps)).rejects.toMatchObject({
      why: { reason: 'status', status: 500 },
    });
    expect(await reasonOf(open.fetch(`${page.url}/torn`, caps))).toBe('unreachable');
    expect(await reasonOf(open.fetch(`${page.url}/thrice`, caps))).toBe('unreachable');
    expect(await reasonOf(open.fetch(`${page.url}/odd`, caps))).toBe('unreachable');
  });

  test('a page, its type, its name, its length', async () => {
    expect(await open.probe(`${page.url}/page`, caps)).toEqual({
      finalUrl: `${page.url}/page`,
      status: 200,
      contentType: 'text/html; charset=utf-8',
      contentLength: undefined,
      fileName: 'page',
    });
    expect(await open.probe(`${page.url}/named`, caps)).toMatchObject({
      contentType: 'application/pdf',
      contentLength: 4,
      fileName: '报告.pdf',
    });
    expect(await textOf(open, `${page.url}/page`)).toBe('<p>hello</p>');
  });

  test('packed answers are unpacked', async () => {
    for (const [path, text] of [
      ['/gzip', 'packed by gzip'],
      ['/br', 'packed by brotli'],
      ['/deflate', 'packed by deflate'],
      ['/twice', 'packed twice'],
    ] as const) {
      expect(await textOf(open, page.url + path)).toBe(text);
    }
  });

  test('[T7] endless, dripping and silent pages end at the caps, and their connections with them', async () => {
    expect(await reasonOf(open.fetch(`${page.url}/endless`, caps))).toBe('too_large');
    expect(await reasonOf(open.fetch(`${page.url}/large`, caps))).toBe('too_large');
    expect(await reasonOf(open.fetch(`${page.url}/drip`, { maxBytes: 1000, timeoutMs: 400 }))).toBe('timed_out');
    expect(await reasonOf(open.probe(`${page.url}/silent`, { timeoutMs: 300 }))).toBe('timed_out');
    for (let turn = 0; turn < 100 && page.open() > 0; turn++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(page.open()).toBe(0);
  });

  test('the caller can call it off', async () => {
    const abort = new AbortController();
    const fetching = open.fetch(`${page.url}/drip`, { ...caps, signal: abort.signal });
    setTimeout(() => abort.abort(new Error('no longer wanted')), 100);
    await expect(fetching).rejects.toThrow('no longer wanted');
  });

  test('[T8] bombs are counted while they inflate: memory does not follow them', async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    for (const path of ['/bomb', '/brotli-bomb', '/endless-gzip'])
      expect(await reasonOf(open.fetch(page.url + path, caps))).toBe('too_large');
    clearInterval(watch);
    expect(peak - before).toBeLessThan(64 * 2 ** 20);
  });

  test('[T9] a cap can be chosen by what the bytes are, not by what the server says', async () => {
    const seen: number[] = [];
    const capFor = (head: Uint8Array): number => {
      seen.push(head.length);
      return 100_000;
    };
    expect(await reasonOf(open.fetch(`${page.url}/large`, { maxBytes: capFor, timeoutMs: 10_000 }))).toBe('too_large');
    expect(seen).toEqual([8192]);
  });
});
