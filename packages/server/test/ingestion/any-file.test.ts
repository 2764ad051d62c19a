import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { eml, msg } from '@sheaf/tools/testing/formats/mail.ts';
import { zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { xlsb } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { epub, odp, ods, odt, rtf, svg } from '@sheaf/tools/testing/formats/open-document.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { flowOn, type Flow } from './support.ts';

interface AnyFile {
  name: string;
  bytes: Uint8Array;
  mediaType: number;
  contentType: string;
  /** A word of the text; '' if the file has none. */
  word: string;
}

const openDocument = 'application/vnd.oasis.opendocument';
const files: AnyFile[] = [
  { name: 'a.odt', bytes: odt(), mediaType: 3, contentType: `${openDocument}.text`, word: 'Confidential' },
  { name: 'b.rtf', bytes: rtf(), mediaType: 3, contentType: 'application/rtf', word: '知识' },
  { name: 'c.odp', bytes: odp(), mediaType: 4, contentType: `${openDocument}.presentation`, word: '讲者备注' },
  { name: 'd.ods', bytes: ods(), mediaType: 5, contentType: `${openDocument}.spreadsheet`, word: '城市' },
  {
    name: 'e.xlsb',
    bytes: xlsb([['boysenberry']]),
    mediaType: 5,
    contentType: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    word: 'boysenberry',
  },
  { name: 'f.epub', bytes: epub(), mediaType: 13, contentType: 'application/epub+zip', word: '第二章' },
  { name: 'g.svg', bytes: svg('quincepaste'), mediaType: 13, contentType: 'image/svg+xml', word: 'quincepaste' },
  { name: 'h.zip', bytes: zip({ 'kumquat.txt': 'x' }), mediaType: 13, contentType: 'application/zip', word: 'kumquat' },
  {
    name: 'i.json',
    bytes: utf8('{"a": "loganberry"}'),
    mediaType: 13,
    contentType: 'application/json',
    word: 'loganberry',
  },
  { name: 'j.py', bytes: utf8('def elderberry(): pass'), mediaType: 13, contentType: 'text/plain', word: 'elderberry' },
  {
    name: 'k.mbox',
    bytes: utf8('From a\nSubject: b\n\nThe persimmon\n'),
    mediaType: 13,
    contentType: 'application/mbox',
    word: 'persimmon',
  },
  {
    name: 'l.rhubarb',
    bytes: Uint8Array.of(0, 1, 2, 3, 255, 0),
    mediaType: 13,
    contentType: 'application/octet-stream',
    word: '',
  },
  { name: 'noextension', bytes: utf8('the soursop text'), mediaType: 13, contentType: 'text/plain', word: 'soursop' },
  { name: 'letter.doc', bytes: rtf(), mediaType: 3, contentType: 'application/rtf', word: '知识' },
];

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

for (const [database, blobs] of [
  ['sqlite', 'files'],
  ['postgres', 's3'],
] as const) {
  describe(`[finding F7] any file is kept, on ${database} and ${blobs}`, () => {
    let flow: Flow;
    beforeAll(async () => {
      flow = await flowOn(await startServer({ database, blobs, config: { SHEAF_QUOTA_BYTES: 4 * 2 ** 20 } }));
    });
    afterAll(() => flow?.server.close());

    const upload = async (name: string, bytes: Uint8Array): Promise<string> => {
      const answer = await flow.call('upload_knowledge', {
        knowledge_base_id: flow.baseId,
        file_name: name,
        content: base64(bytes),
      });
      expect(answer).toMatchObject({ code: 0 });
      return answer.data.media_id as string;
    };
    const entries = async (): Promise<{ media_id: string; title: string; media_type: number }[]> =>
      (await flow.call('get_knowledge_list', { knowledge_base_id: flow.baseId, cursor: '', limit: 50 })).data
        .knowledge_list;

    test.each(files)('$name is kept, found and downloaded as it came', async (file) => {
      const id = await upload(file.name, file.bytes);
      expect(await flow.state(id)).toMatchObject({ state: 'ready', media_type: file.mediaType });
      const content = await flow.call('get_knowledge_content', { media_id: id });
      expect(content.data).toMatchObject({ media_type: file.mediaType, content_type: file.contentType });
      expect(content.data.content).toContain(file.word);
      expect((await entries()).find((entry) => entry.media_id === id)).toMatchObject({ media_type: file.mediaType });
      if (file.word !== '') expect(await flow.found(file.word)).toContain(id);
      expect(await flow.found(file.name)).toContain(id);
      const { data } = await flow.call('get_media_info', { media_id: id });
      const original = await fetch(data.url_info.url);
      expect(original.headers.get('content-disposition')).toContain(`"${file.name}"`);
      expect(original.headers.get('x-content-type-options')).toBe('nosniff');
      expect(Buffer.from(await original.arrayBuffer()).equals(Buffer.from(file.bytes))).toBe(true);
    });

    test('[T99] an svg or a page in disguise never runs here', async () => {
      const id = await upload('x.svg', svg());
      const { data } = await flow.call('get_media_info', { media_id: id });
      const answer = await fetch(`${data.url_info.url}&response-content-type=image/svg%2Bxml`);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    });

    test('what a specification lists must be what its name says; the specified operations refuse the rest', async () => {
      const file = { knowledge_base_id: flow.baseId, file_name: 'a.pdf', content: base64(zip({ a: 'b' })) };
      expect(await flow.call('upload_knowledge', file)).toMatchObject({
        code: 110001,
        msg: expect.stringContaining('not a PDF'),
      });
      for (const { name, bytes, contentType } of files.slice(0, 8))
        expect(
          await flow.call('create_media', {
            file_name: name,
            file_size: bytes.length,
            content_type: contentType === 'application/zip' ? '' : contentType,
            knowledge_base_id: flow.baseId,
            file_ext: name.split('.')[1],
          }),
        ).toMatchObject({ code: 110001 });
    });

    test('a file of up to 64 MB comes by pre_import, and its upload is not kept twice', async () => {
      const bytes = Buffer.concat([Buffer.from([0, 1, 2]), Buffer.alloc(1_500_000, 7)]);
      const { data } = await flow.server.call('http', 'manage', 'pre_import', { file_name: 'big.bin' });
      await fetch(data.upload_url, { method: 'PUT', body: bytes });
      const input = { knowledge_base_id: flow.baseId, file_name: 'big.bin', file_key: data.file_key };
      expect(await flow.call('upload_knowledge', { ...input, content: 'eA==' })).toMatchObject({ code: 110001 });
      const other = await flow.server.newUser();
      expect((await flow.call('upload_knowledge', input, other)).code).not.toBe(0);
      const answer = await flow.call('upload_knowledge', input);
      expect(answer).toMatchObject({ code: 0, data: { media_type: 13, content_type: 'application/octet-stream' } });
      expect(await flow.server.app.services.blobs.head(data.file_key)).toBeUndefined();
      expect(await flow.call('upload_knowledge', input)).toMatchObject({ code: 110001 });
      const info = await flow.call('get_media_info', { media_id: answer.data.media_id });
      expect((await (await fetch(info.data.url_info.url)).arrayBuffer()).byteLength).toBe(1_500_003);
      await flow.call('delete_knowledge', { knowledge_base_id: flow.baseId, media_ids: [answer.data.media_id] });
    });

    test('[W191] attachments are items of their own, once, however often the mail is read', async () => {
      const inner = eml({
        subject: 'inside',
        text: 'inner words',
        attachments: [{ name: 'deep.txt', type: 'text/plain', bytes: utf8('the mangosteen') }],
      });
      const mail = eml({
        subject: 'outside',
        text: 'outer words',
        attachments: [
          { name: '../évil\u0000.txt', type: 'text/plain', bytes: utf8('the tamarillo') },
          { name: 'inside.eml', type: 'message/rfc822', bytes: inner },
          { name: 'wrong.pdf', type: 'application/pdf', bytes: utf8('no pdf at all') },
        ],
      });
      const id = await upload('mail.eml', mail);
      expect(await flow.state(id)).toMatchObject({ state: 'ready', reason: '', content_type: 'message/rfc822' });
      const titles = async (): Promise<string[]> =>
        (await entries()).map(({ title }) => title).filter((title) => /évil|inside|deep|wrong/.test(title));
      await expect.poll(titles, { timeout: 20_000 }).toHaveLength(4);
      expect((await titles()).toSorted()).toEqual(['deep.txt', 'inside.eml', 'wrong.pdf', 'évil.txt']);
      const deep = (await entries()).find(({ title }) => title === 'deep.txt')!;
      expect(await flow.state(deep.media_id)).toMatchObject({ state: 'ready' });
      expect(await flow.found('mangosteen')).toContain(deep.media_id);
      const { services } = flow.server.app;
      const item = (await services.wiki.items.item(id))!;
      await services.wiki.texts.failItem(
        { at: Date.now(), userId: item.userId, keyId: '', operation: 'test', requestId: '' },
        id,
        item.version,
        'again',
      );
      expect(await flow.call('retry_knowledge', { media_id: id })).toMatchObject({ code: 0 });
      expect(await flow.state(id)).toMatchObject({ state: 'ready' });
      expect(await titles()).toHaveLength(4);
    });

    test('[T99] attachments count against the quota, and the mail says which did not fit', async () => {
      const user = await flow.server.newUser();
      const base = await flow.call('create_knowledge_base', { name: 'Small' }, user);
      const big = Buffer.alloc(2_500_000, 'x');
      const content = base64(msg({ subject: 'full', body: 'x', attachments: [{ name: 'big.txt', bytes: big }] }));
      const answer = await flow.call(
        'upload_knowledge',
        { knowledge_base_id: base.data.knowledge_base_id, file_name: 'full.msg', content },
        user,
      );
      expect(answer).toMatchObject({ code: 0 });
      await expect
        .poll(
          async () =>
            (await flow.call('get_knowledge_state', { media_ids: [answer.data.media_id], wait_seconds: 5 }, user)).data
              .states[0],
          { timeout: 20_000 },
        )
        .toMatchObject({ state: 'ready', reason: expect.stringContaining('big.txt: the storage quota is used up') });
      const used = await flow.server.app.services.wiki.uploads.storage(user.userId, 0);
      expect(used.used).toBeLessThan(2 * 2_500_000);
    });
  });
}
