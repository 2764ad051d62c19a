import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentDisposition, safeDownloadHeaders } from '../../src/transports/http/storage/safe-download-headers.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

describe('files by signed link', () => {
  let server: TestServer;
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  let count = 0;
  beforeAll(async () => {
    server = await startServer({ clock });
  });
  afterAll(() => server?.close());

  async function link(body: string, options: { fileName?: string; contentType?: string } = {}): Promise<string> {
    const key = `media/link-${++count}`;
    await server.app.services.blobs.put(key, Buffer.from(body), Buffer.byteLength(body));
    return server.app.services.signedUrls.sign(key, {
      fileName: 'a.txt',
      contentType: 'text/plain',
      seconds: 3600,
      ...options,
    });
  }

  test('reads the file, its head, and parts of it', async () => {
    const url = await link('0123456789');
    const whole = await fetch(url);
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'accept-ranges': 'bytes',
      etag: '"781e5e245d69b566979b86e28d23f2c7"',
      'content-disposition': `inline; filename="a.txt"; filename*=UTF-8''a.txt`,
    });
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    for (const [range, status, body, of] of [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
      ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
      ['bytes=4-2', 200, '0123456789', null],
      ['bytes=0-1,3-4', 200, '0123456789', null],
      ['lines=1-2', 200, '0123456789', null],
    ] as const) {
      const part = await fetch(url, { headers: { range } });
      expect([range, part.status, await part.text(), part.headers.get('content-range')]).toEqual([
        range,
        status,
        body,
        of,
      ]);
    }
    const past = await fetch(url, { headers: { range: 'bytes=10-' } });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect((await fetch(url, { headers: { 'if-none-match': '"781e5e245d69b566979b86e28d23f2c7"' } })).status).toBe(304);
  });

  test('[T36] a link that was changed in any character, or has run out, is refused', async () => {
    const url = await link('secret');
    const start = url.indexOf('/files/') + '/files/'.length;
    for (let at = start; at < url.length; at += 3) {
      const changed = `${url.slice(0, at)}${url[at] === 'x' ? 'y' : 'x'}${url.slice(at + 1)}`;
      const answer = await fetch(changed);
      expect([changed, answer.status, (await answer.text()).includes('secret')]).toEqual([changed, 403, false]);
    }
    expect((await fetch(`${url}&expires=9999999999`)).status).toBe(403);
    expect((await fetch(url.split('?')[0]!)).status).toBe(403);
    clock.offset = 3_500_000;
    expect((await fetch(url)).status).toBe(200);
    clock.offset = 3_602_000;
    expect((await fetch(url)).status).toBe(403);
    clock.offset = 0;
  });

  test('[T36] the address leaks to nobody: no referrer, no caching by others', async () => {
    const answer = await fetch(await link('x'));
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  test("[T36] a deleted item's file is gone, though its bytes wait in the trash; restored, it is back", async () => {
    const base = (await server.call('http', 'wiki', 'create_knowledge_base', { name: 'b' })).data
      .knowledge_base_id as string;
    const { data } = await server.call('http', 'wiki', 'upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'a.txt',
      content: Buffer.from('words').toString('base64'),
    });
    const url = (await server.call('http', 'wiki', 'get_media_info', { media_id: data.media_id })).data.url_info
      .url as string;
    expect((await fetch(url)).status).toBe(200);
    expect(
      (await server.call('http', 'wiki', 'delete_knowledge', { knowledge_base_id: base, media_ids: [data.media_id] }))
        .code,
    ).toBe(0);
    expect((await fetch(url)).status).toBe(404);
    expect(
      (await server.call('http', 'wiki', 'restore_knowledge', { knowledge_base_id: base, media_ids: [data.media_id] }))
        .code,
    ).toBe(0);
    expect((await fetch(url)).status).toBe(200);
  });

  describe('[T33] what could act in a browser is inert', () => {
    const script = '<script>document.title = document.cookie</script>';

    test.each([
      ['page.html', 'text/html'],
      ['page.xhtml', 'application/xhtml+xml'],
      ['picture.svg', 'image/svg+xml'],
      ['data.xml', 'text/xml'],
      ['code.js', 'text/javascript'],
      ['strange', 'application/x-unknown'],
    ])('%s', async (fileName, contentType) => {
      const answer = await fetch(await link(script, { fileName, contentType }));
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    });

    test.each([
      'text/javascript',
      'application/javascript',
      'text/ecmascript',
      'application/x-javascript',
      'text/jscript',
      'text/css',
      'application/wasm',
      'text/html',
      'image/svg+xml',
      'text/xsl',
      'text/cache-manifest',
    ])('[finding R15] no text is ever %s: a page of ours would run it as its own', async (type) => {
      const declared = await fetch(await link(script, { fileName: 'a.txt', contentType: type }));
      const asked = await fetch(
        `${await link(script, { fileName: 'a.txt' })}&response-content-type=${encodeURIComponent(`${type};charset=utf-8`)}`,
      );
      expect([declared, asked].map((answer) => answer.headers.get('content-type'))).toEqual([
        'application/octet-stream',
        'application/octet-stream',
      ]);
    });

    test('also when the address asks for it otherwise', async () => {
      const url = await link(script, { fileName: 'a.txt' });
      const asked = await fetch(`${url}&response-content-type=text/html&response-content-disposition=inline`);
      expect(asked.status).toBe(200);
      expect(asked.headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(asked.headers.get('content-security-policy')).toMatch(/^sandbox;/);
      const split = await fetch(`${url}&response-content-type=${encodeURIComponent('text/html\r\nset-cookie: a=b')}`);
      expect(split.headers.get('content-type')).toBe('application/octet-stream');
      expect(split.headers.get('set-cookie')).toBeNull();
    });
  });

  test('response-content-type and response-content-disposition are honored where they do no harm', async () => {
    const url = await link('x', { fileName: 'a.txt' });
    const asked = await fetch(
      `${url}&response-content-type=application/pdf&response-content-disposition=${encodeURIComponent('attachment; filename="b c.pdf"')}`,
    );
    expect(asked.headers.get('content-type')).toBe('application/pdf');
    expect(asked.headers.get('content-disposition')).toBe(`attachment; filename="b c.pdf"; filename*=UTF-8''b%20c.pdf`);
    const named = await fetch(
      `${url}&response-content-disposition=${encodeURIComponent("attachment; filename*=UTF-8''%E6%8A%A5.txt")}`,
    );
    expect(named.headers.get('content-disposition')).toBe(
      `attachment; filename="_.txt"; filename*=UTF-8''%E6%8A%A5.txt`,
    );
  });

  test('[T19] [T37] names cannot break out of the header', async () => {
    for (const fileName of [
      'a\r\nset-cookie: x=y\r\n.txt',
      'a"; filename="evil.exe',
      '../../etc/passwd',
      'a\0b.txt',
      '\u202etxt.exe',
      'CON',
      '-rf',
      '报告😀.txt',
      '\ud800.txt',
      'é'.repeat(255),
      '%0d%0a',
      "a'b*c(d).txt",
      '',
    ]) {
      const answer = await fetch(await link('x', { fileName }));
      expect([fileName, answer.status, answer.headers.get('set-cookie')]).toEqual([fileName, 200, null]);
      expect(answer.headers.get('content-disposition')).toMatch(
        /^inline; filename="[ !#-~]*"; filename\*=UTF-8''[A-Za-z0-9%._~!$&+^`|-]*$/,
      );
    }
    expect(contentDisposition('attachment', '../../etc/x')).toBe(
      `attachment; filename=".._.._etc_x"; filename*=UTF-8''.._.._etc_x`,
    );
    expect(contentDisposition('attachment', 'a\r\nb: c')).toBe(
      `attachment; filename="a__b: c"; filename*=UTF-8''a__b%3A%20c`,
    );
    expect(
      safeDownloadHeaders('text/plain', 'a', { type: null, disposition: 'attachment' })['content-disposition'],
    ).toBe(`attachment; filename="a"; filename*=UTF-8''a`);
  });
});
