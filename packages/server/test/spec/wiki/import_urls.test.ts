import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';

let site: Server;
let origin: string;
let hits = 0;

beforeAll(async () => {
  site = createServer((request, response) => {
    hits += 1;
    if (request.url === '/page')
      return response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          '<html><head><title>The otter page</title></head><body><article><h1>Otters</h1><p>An otter floats on its back. '.repeat(
            3,
          ) + '</p></article></body></html>',
        );
    if (request.url === '/notes.md')
      return response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Notes\n\nA badger digs.');
    if (request.url === '/film.mp4') return response.writeHead(200, { 'content-type': 'video/mp4' }).end('x');
    if (request.url === '/huge.md')
      return response.writeHead(200, { 'content-type': 'text/markdown', 'content-length': String(11 * 1048576) }).end();
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => site.close(resolve)));

onWiki(
  'import_urls',
  (call, server) => {
    const kit = wikiKit(call);
    const load = async (urls: string[]) => {
      const base = await kit.base();
      return {
        base,
        results: (await kit.done('import_urls', { knowledge_base_id: base, folder_id: '', urls })).results,
      };
    };

    test('[W80] a page becomes an item of type 2 that is read and found', async () => {
      const { base, results } = await load([`${origin}/page`]);
      expect(results).toEqual({
        [`${origin}/page`]: { url: `${origin}/page`, ret_code: 0, media_id: expect.stringMatching(/^media_/) },
      });
      const { media_id } = results[`${origin}/page`];
      await kit.ready(media_id);
      await server().app.services.searchFeed.waitUntilDrained();
      expect(
        (await kit.done('search_knowledge', { query: 'floats', cursor: '', knowledge_base_id: base })).info_list,
      ).toMatchObject([{ media_id, media_type: 2, title: 'The otter page' }]);
      expect((await kit.done('get_media_info', { media_id })).url_info).toEqual({ url: `${origin}/page`, headers: {} });
    });

    test('[W81] a direct link to a file is imported as its type', async () => {
      const { results } = await load([`${origin}/notes.md`]);
      const { media_id } = results[`${origin}/notes.md`];
      await kit.ready(media_id);
      expect(await kit.done('get_knowledge_content', { media_id })).toMatchObject({
        media_type: 7,
        title: 'notes.md',
        content: expect.stringContaining('badger'),
      });
    });

    test('[W82] each URL by itself: what cannot be imported does not stop the others', async () => {
      const urls = [
        `${origin}/page`,
        `${origin}/nothing`,
        `${origin}/film.mp4`,
        `${origin}/huge.md`,
        'https://www.bilibili.com/video/x',
        'ftp://example.com/',
        'file:///etc/passwd',
        'nonsense',
        '__proto__',
        'http://u:p@example.com/',
      ];
      const { base, results } = await load(urls);
      expect(urls.filter((url) => results[url].ret_code === 0)).toEqual([`${origin}/page`]);
      expect(urls.map((url) => results[url].url)).toEqual(urls);
      expect(urls.slice(1).every((url) => results[url].media_id === undefined && results[url].msg !== '')).toBe(true);
      expect((await kit.list(base)).knowledge_list).toHaveLength(1);
    });

    test('[W83] the same URL twice is imported once', async () => {
      const { base, results } = await load([`${origin}/page`, `${origin}/page`]);
      expect(Object.keys(results)).toEqual([`${origin}/page`]);
      expect((await kit.list(base)).knowledge_list).toHaveLength(1);
    });

    test('[W84] [finding C1] 1 to 10 URLs, none empty; without folder_id they go to the root', async () => {
      const base = await kit.base();
      const load10 = (urls: string[], folder: object = { folder_id: base }) =>
        call('import_urls', { knowledge_base_id: base, urls, ...folder });
      expect(await load10(Array(11).fill('x'))).toMatchObject({ code: 110001 });
      expect(await load10([])).toMatchObject({ code: 110001 });
      expect(await load10([''])).toMatchObject({ code: 110001, msg: expect.stringContaining('urls') });
      const { data } = await load10([`${origin}/page`], {});
      const { media_id } = data.results[`${origin}/page`];
      expect((await kit.list(base)).knowledge_list).toMatchObject([{ media_id, parent_folder_id: base }]);
      expect(await load10(['x'], { folder_id: null })).toMatchObject({
        code: 110001,
        msg: 'folder_id: must be a string (got null)',
      });
      expect(await load10(['x'])).toMatchObject({ code: 0, data: { results: { x: { url: 'x', ret_code: 110001 } } } });
    });
  },
  { config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } },
);

onWiki('import_urls without permission for this machine', (call) => {
  test('[W85][T1] private addresses are refused and nothing is fetched', async () => {
    const kit = wikiKit(call);
    const base = await kit.base();
    const before = hits;
    const { results } = await kit.done('import_urls', {
      knowledge_base_id: base,
      folder_id: base,
      urls: [`${origin}/page`],
    });
    expect(results[`${origin}/page`]).toMatchObject({ ret_code: 110001, msg: expect.any(String) });
    expect(hits).toBe(before);
  });
});
