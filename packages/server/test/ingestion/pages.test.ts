import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docx } from '@sheaf/tools/testing/formats/ooxml.ts';
import { simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { startCanary, type Canary } from '../web/canary.ts';
import { flowOn, type Flow } from './support.ts';

const paragraph = (word: string): string =>
  `<p>${'A sentence of ordinary words that fills the page with something to read. '.repeat(6)}${word}.</p>`;

const article = `<!doctype html><html><head><title>ignored</title>
<meta property="og:title" content="How to store fruit"><meta name="author" content="Wang Fang">
<meta property="article:published_time" content="2024-03-05T08:00:00Z"><meta property="og:image" content="/cover.png"></head>
<body><nav>Home Shop Login</nav><article><h1>How to store fruit</h1><h2>Cellars</h2>
${paragraph('first')}${paragraph('the cherimoya shelf')}${paragraph('last')}</article><footer>Imprint</footer></body></html>`;

describe('pages and links', () => {
  let flow: Flow;
  let site: Canary;
  let canary: Canary;
  let flaky = 0;

  beforeAll(async () => {
    canary = await startCanary();
    site = await startCanary((request, response) => {
      const url = request.url!;
      if (url === '/article')
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
          .end(gzipSync(article));
      else if (url === '/hidden-cover')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(article.replace('/cover.png', 'javascript:alert(1)'));
      else if (url === '/inner-cover')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(article.replace('/cover.png', 'http://192.168.0.1/admin?reboot=1'));
      else if (url === '/gbk')
        response
          .writeHead(200, { 'content-type': 'text/html; charset=gbk' })
          .end(
            Buffer.concat([
              Buffer.from('<html><head><title>t</title></head><body><p>'),
              Buffer.from([0xb2, 0xe2, 0xca, 0xd4, 0xd2, 0xb3, 0xc3, 0xe6]),
              Buffer.from('</p></body></html>'),
            ]),
          );
      else if (url === '/report.pdf') response.writeHead(200, { 'content-type': 'application/pdf' }).end(simplePdf());
      else if (url === '/lie') response.writeHead(200, { 'content-type': 'text/html' }).end(docx());
      else if (url === '/notes.md')
        response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Notes\n\nabout the jabuticaba\n');
      else if (url === '/false.pdf')
        response.writeHead(200, { 'content-type': 'application/pdf' }).end('<html>sign in first</html>');
      else if (url === '/huge-lie')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(Buffer.concat([Buffer.from('<html>'), Buffer.alloc(21 * 2 ** 20, 97)]));
      else if (url === '/empty')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<html><body><script>draw()</script></body></html>');
      else if (url === '/to-canary') response.writeHead(302, { location: `http://127.0.0.3:${canary.port}/` }).end();
      else if (url === '/late-canary') {
        // Public when it is looked at, elsewhere when it is read: judged again.
        flaky++;
        if (flaky === 1) response.writeHead(200, { 'content-type': 'text/html' }).end(article);
        else response.writeHead(302, { location: `http://127.0.0.3:${canary.port}/` }).end();
      } else if (url === '/exe') response.writeHead(200, { 'content-type': 'application/x-msdownload' }).end('MZ');
      else response.writeHead(404).end();
    });
    flow = await flowOn(await startServer({ config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } }));
  });
  afterAll(async () => {
    await flow?.server.close();
    await site?.close();
    await canary?.close();
  });

  const importOne = async (path: string): Promise<{ ret_code: number; media_id: string; msg: string }> => {
    const url = `${site.url}${path}`;
    const { code, data } = await flow.call('import_urls', {
      knowledge_base_id: flow.baseId,
      folder_id: '',
      urls: [url],
    });
    expect(code).toBe(0);
    return data.results[url];
  };

  test('a page gives its title, readable text, author, time and cover', async () => {
    const { ret_code: code, media_id: id } = await importOne('/article');
    expect(code).toBe(0);
    expect(await flow.state(id)).toEqual({
      media_id: id,
      knowledge_base_id: flow.baseId,
      state: 'ready',
      reason: '',
      title: 'How to store fruit',
      media_type: 2,
    });
    const text = (await flow.text(id))!;
    expect(text.body).toContain('the cherimoya shelf');
    expect(text.body).not.toContain('Shop Login');
    expect(text.headings).toContain('Cellars');
    expect(text.meta).toMatchObject({
      author: 'Wang Fang',
      publishedAt: '2024-03-05T08:00:00.000Z',
      cover: `${site.url}/cover.png`,
    });
    expect(await flow.found('cherimoya')).toContain(id);
    const info = await flow.call('get_media_info', { media_id: id });
    expect(info.data).toMatchObject({ media_type: 2, url_info: { url: `${site.url}/article` } });
  });

  test('a title that a person gave is kept', async () => {
    const added = await flow.call('add_knowledge', {
      media_type: 2,
      title: 'My reading',
      knowledge_base_id: flow.baseId,
      web_info: { content_id: `${site.url}/article` },
    });
    expect(await flow.state(added.data.media_id)).toMatchObject({ state: 'ready', title: 'My reading' });
  });

  test('[T39] a cover that is no web address, or one is a private network address, is left out', async () => {
    for (const path of ['/hidden-cover', '/inner-cover']) {
      const { media_id: id } = await importOne(path);
      expect(await flow.state(id)).toMatchObject({ state: 'ready' });
      expect((await flow.text(id))!.meta['cover']).toBeUndefined();
    }
  });

  test('a page in another charset', async () => {
    const { media_id: id } = await importOne('/gbk');
    await flow.state(id);
    expect((await flow.text(id))!.body).toContain('测试页面');
  });

  test('links to files become files, by what they are', async () => {
    const pdf = await importOne('/report.pdf');
    expect(await flow.state(pdf.media_id)).toMatchObject({ state: 'ready', media_type: 1, title: 'report.pdf' });
    expect(await flow.found('检索')).toContain(pdf.media_id);
    const info = await flow.call('get_media_info', { media_id: pdf.media_id });
    const original = await fetch(info.data.url_info.url);
    expect([
      original.status,
      original.headers.get('content-type'),
      Buffer.from(await original.arrayBuffer()).equals(Buffer.from(simplePdf())),
    ]).toEqual([200, 'application/pdf', true]);
    const md = await importOne('/notes.md');
    expect(await flow.state(md.media_id)).toMatchObject({ state: 'ready', media_type: 7 });
    expect(await flow.found('jabuticaba')).toEqual([md.media_id]);
  });

  test('[T9] a server that lies about the type: the bytes decide, and the size rule of what they are', async () => {
    const lie = await importOne('/lie');
    expect(await flow.state(lie.media_id)).toMatchObject({ state: 'ready', media_type: 3 });
    expect((await flow.text(lie.media_id))!.body).toContain('知识库的正文');
    const login = await importOne('/false.pdf');
    expect(await flow.state(login.media_id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('are not a PDF'),
    });
    const huge = await importOne('/huge-lie');
    expect(await flow.state(huge.media_id)).toMatchObject({
      state: 'failed',
      reason: 'The address could not be read: the page is larger than 20 MB.',
    });
    expect(await importOne('/exe')).toMatchObject({ ret_code: 110001 });
  });

  test('a page without words says so', async () => {
    const { media_id: id } = await importOne('/empty');
    expect(await flow.state(id)).toMatchObject({
      state: 'failed',
      reason: 'The page contains no text that can be read without running its scripts.',
    });
  });

  test('[T1] [T3] [T5] [T6] refused URLs get a code each, the others go on, and nobody inside is called', async () => {
    const urls = [
      `http://127.0.0.2:${canary.port}/`,
      `http://[::1]:${canary.port}/`,
      'http://169.254.169.254/latest/',
      'file:///etc/passwd',
      'gopher://example.com/',
      `http://user:pass@127.0.0.1:${canary.port}/`,
      'http://127.0.0.2:6379/',
      `${site.url}/to-canary`,
      'https://www.youtube.com/watch?v=1',
      '__proto__',
    ];
    const { data } = await flow.call('import_urls', {
      knowledge_base_id: flow.baseId,
      folder_id: flow.baseId,
      urls: [...urls.slice(0, 9), `${site.url}/article`],
    });
    for (const url of urls.slice(0, 9))
      expect([url, data.results[url].ret_code !== 0, data.results[url].media_id]).toEqual([url, true, undefined]);
    expect(data.results[`${site.url}/article`].ret_code).toBe(0);
    const odd = await flow.call('import_urls', { knowledge_base_id: flow.baseId, folder_id: '', urls: ['__proto__'] });
    expect(Object.entries(odd.data.results)).toMatchObject([['__proto__', { ret_code: 110001 }]]);
    expect(canary.connections()).toBe(0);
  });

  test('[T10] what was allowed when it was looked at is judged again when it is read', async () => {
    const { ret_code: code, media_id: id } = await importOne('/late-canary');
    expect(code).toBe(0);
    expect(await flow.state(id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('is a private network address'),
    });
    expect(canary.connections()).toBe(0);
  });
});
