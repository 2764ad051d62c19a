import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mp3, png } from '@sheaf/tools/testing/formats/media.ts';
import { scannedPdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { startCanary, type Canary } from '../web/canary.ts';
import { flowOn, type Flow } from './support.ts';

let flow: Flow;
let site: Canary;
beforeAll(async () => {
  site = await startCanary((request, response) => {
    const status = Number(request.url!.slice(1)) || 200;
    response.writeHead(status, { 'content-type': 'text/html' }).end('<title>t</title><p>words of a page');
  });
  flow = await flowOn(await startServer({ config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } }));
});
afterAll(async () => {
  await flow?.server.close();
  await site?.close();
});

describe('[finding F4] a CSV that a browser declares as a workbook', () => {
  test('is added as a CSV', async () => {
    const bytes = Buffer.from('name,town\nocelot,Lima\n');
    const id = await flow.add({ name: 'animals.csv', type: 'application/vnd.ms-excel', mediaType: 5, bytes });
    expect(await flow.state(id)).toMatchObject({ state: 'ready', reason: '' });
    expect((await flow.text(id))!.body).toBe('name\ttown\nocelot\tLima');
  });

  test('while a workbook must still be one', async () => {
    const bytes = Buffer.from('name,town\n');
    const answer = await flow.send({ name: 'animals.xls', type: 'application/vnd.ms-excel', mediaType: 5, bytes });
    expect(answer).toMatchObject({ code: 110001, msg: expect.stringContaining('not a workbook') });
  });
});

describe('[finding S8] an item without text, or with a part of it', () => {
  const cases: [string, string, number, () => Uint8Array, RegExp][] = [
    ['scan.pdf', 'application/pdf', 1, () => scannedPdf(2), /^The PDF contains no text, only pictures/],
    ['part.pdf', 'application/pdf', 1, () => scannedPdf(3, 1), /^3 of the 4 pages contain no text/],
    ['photo.png', 'image/png', 9, () => png(4, 4), /^Text in pictures is not read by this installation/],
    ['blank.txt', 'text/plain', 13, () => Buffer.from(' \n '), /^The file contains no text/],
    ['talk.mp3', 'audio/mpeg', 15, () => mp3(2), /^What is said in recordings is not transcribed/],
  ];
  for (const [name, type, mediaType, bytes, reason] of cases)
    test(`says why: ${name}`, async () => {
      const id = await flow.add({ name, type, mediaType, bytes: bytes() });
      expect(await flow.state(id)).toMatchObject({ state: 'ready', reason: expect.stringMatching(reason) });
      const { data: list } = await flow.call('get_knowledge_list', {
        knowledge_base_id: flow.baseId,
        cursor: '',
        limit: 50,
      });
      expect(list.knowledge_list.find((entry: { media_id: string }) => entry.media_id === id).reason).toMatch(reason);
      const { data: content } = await flow.call('get_knowledge_content', { media_id: id });
      expect(content.reason).toMatch(reason);
    });

  test('a text of 10 MB is indexed to its end, and has no reason', async () => {
    const filler = 'The quick brown fox jumps over the lazy dog once more.\n'.repeat(185_000);
    const bytes = Buffer.from(`${filler.slice(0, 10 * 2 ** 20 - 40)}\nand last the quokka\n`);
    const id = await flow.add({ name: 'long.txt', type: 'text/plain', mediaType: 13, bytes });
    expect(await flow.state(id)).toMatchObject({ state: 'ready', reason: '' });
    expect(await flow.found('quokka')).toEqual([id]);
  });
});

describe('[finding S9] names, roles and pages', () => {
  const add = (url: string) =>
    flow.call('add_knowledge', {
      media_type: 2,
      title: 'Page',
      knowledge_base_id: flow.baseId,
      web_info: { content_id: url },
    });

  test('a name that nobody can see is refused', async () => {
    for (const name of ['   ', '\t\n', '\u3000', '\u200b']) {
      const refused = { code: 110001, msg: expect.stringContaining('must contain a character that can be seen') };
      expect(await flow.call('create_knowledge_base', { name })).toMatchObject(refused);
      expect(await flow.call('create_folder', { knowledge_base_id: flow.baseId, name })).toMatchObject(refused);
    }
    expect(await flow.call('create_folder', { knowledge_base_id: flow.baseId, name: ' . ' })).toMatchObject({
      code: 0,
    });
  });

  test('a role is called the same when it is set and when it is read', async () => {
    const other = await flow.server.newUser();
    await flow.call('set_member', { knowledge_base_id: flow.baseId, user_id: other.userId, role: 'viewer' });
    const { data } = await flow.call('list_members', { knowledge_base_id: flow.baseId });
    expect(data.members).toMatchObject([{ role: 'owner' }, { user_id: other.userId, role: 'viewer' }]);
  });

  test('add_knowledge refuses a page that is not there, and one in a private network, at once', async () => {
    expect(await add(`${site.url}/404`)).toMatchObject({
      code: 110011,
      msg: expect.stringContaining("the page's server responded with 404"),
    });
    expect(await add('http://10.1.2.3/')).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('is a private network address'),
    });
    expect(await add(`${site.url}/200`)).toMatchObject({ code: 0 });
    // A server that is away for the moment is asked again later.
    expect(await add(`${site.url}/503`)).toMatchObject({ code: 0 });
  });

  test('import_urls tells what is worth trying again from what is not', async () => {
    const urls = [`${site.url}/404`, `${site.url}/410`, `${site.url}/503`, `${site.url}/429`];
    const { data } = await flow.call('import_urls', { knowledge_base_id: flow.baseId, folder_id: '', urls });
    expect(urls.map((url) => data.results[url].ret_code)).toEqual([110011, 110011, 110010, 110010]);
  });
});
