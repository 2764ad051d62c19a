import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aac, jpeg, m4a, mp3, png, wav, webp } from '@sheaf/tools/testing/formats/media.ts';
import { doc, ppt, xls } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { docx, inlineCell, pptx, xlsxParts, xmindJson, xmindXml, zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { flowOn, type Flow, type Sent } from './support.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

const unread: Record<number, unknown> = {
  9: expect.stringContaining('Text in pictures is not read'),
  15: expect.stringContaining('is not transcribed'),
};

const office = 'application/vnd.openxmlformats-officedocument';
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** A word from the middle of each, which its name does not hold. */
const files: (Sent & { word: string; shows?: object })[] = [
  {
    name: 'a.pdf',
    type: 'application/pdf',
    mediaType: 1,
    bytes: simplePdf(),
    word: '检索',
    shows: { pages: 1, author: 'Zhang Wei' },
  },
  { name: 'b.docx', type: `${office}.wordprocessingml.document`, mediaType: 3, bytes: docx(), word: '正文' },
  {
    name: 'c.doc',
    type: 'application/msword',
    mediaType: 3,
    bytes: doc([{ text: 'Beginning', style: 1 }, { text: 'the marzipan paragraph' }, { text: 'end' }]),
    word: 'marzipan',
    by: 'aws',
  },
  { name: 'd.pptx', type: `${office}.presentationml.presentation`, mediaType: 4, bytes: pptx(), word: '' },
  {
    name: 'e.ppt',
    type: 'application/vnd.ms-powerpoint',
    mediaType: 4,
    bytes: ppt([
      { title: 'Opening', body: 'first' },
      { title: 'Middle', body: 'a rhubarb slide' },
      { title: 'End', body: 'last' },
    ]),
    word: 'rhubarb',
  },
  {
    name: 'f.xlsx',
    type: `${office}.spreadsheetml.sheet`,
    mediaType: 5,
    bytes: zip(
      xlsxParts(
        `<row r="1">${inlineCell('A1', '城市')}</row><row r="2">${inlineCell('A2', 'elderberry')}</row><row r="3">${inlineCell('A3', '北京')}</row>`,
      ),
    ),
    word: 'elderberry',
    by: 'aws',
  },
  {
    name: 'g.xls',
    type: 'application/vnd.ms-excel',
    mediaType: 5,
    bytes: xls([['one'], ['loganberry'], ['three']]),
    word: 'loganberry',
  },
  {
    name: 'h.csv',
    type: 'text/csv',
    mediaType: 5,
    bytes: text('name,count\nboysenberry,3\nlast,1\n'),
    word: 'boysenberry',
  },
  {
    name: 'i.md',
    type: 'text/markdown',
    mediaType: 7,
    bytes: text('# Top\n\nWords before.\n\n## 中间\n\nThe **quincepaste** recipe.\n\nWords after.\n'),
    word: 'quincepaste',
  },
  {
    name: 'j.txt',
    type: 'text/plain',
    mediaType: 13,
    bytes: new Uint8Array(
      Buffer.concat([
        Buffer.from('first line\n'),
        Buffer.from([0xd6, 0xd0, 0xbc, 0xe4, 0xb5, 0xc4, 0xb4, 0xca, 0xd3, 0xef]),
        Buffer.from('\nlast line\n'),
      ]),
    ),
    word: '词语',
  },
  { name: 'k.xmind', type: 'application/x-xmind', mediaType: 14, bytes: xmindJson(), word: '深处的词' },
  {
    name: 'l.xmind',
    type: 'application/vnd.xmind.workbook',
    mediaType: 14,
    bytes: xmindXml(),
    word: '备注文字',
    by: 'aws',
  },
  {
    name: 'm.html',
    type: 'text/html',
    mediaType: 20,
    bytes: text(
      '<html><head><title>T</title></head><body><p>one</p><p>the persimmon line</p><script>hidden()</script><p>three</p></body></html>',
    ),
    word: 'persimmon',
  },
  {
    name: 'n.mp3',
    type: 'audio/mpeg',
    mediaType: 15,
    bytes: mp3(3, { TIT2: 'Song of the kumquat', TPE1: 'Somebody' }),
    word: 'kumquat',
    shows: { author: 'Somebody' },
  },
  { name: 'o.wav', type: 'audio/wav', mediaType: 15, bytes: wav(2), word: '', shows: { duration: 2, format: 'wav' } },
  { name: 'p.m4a', type: 'audio/x-m4a', mediaType: 15, bytes: m4a(5), word: '', shows: { duration: 5 } },
  { name: 'q.aac', type: 'audio/aac', mediaType: 15, bytes: aac(50), word: '', shows: { format: 'aac' } },
  {
    name: 'r.png',
    type: 'image/png',
    mediaType: 9,
    bytes: png(640, 480),
    word: '',
    shows: { width: 640, height: 480 },
  },
  {
    name: 's.jpg',
    type: 'image/jpeg',
    mediaType: 9,
    bytes: jpeg(320, 200),
    word: '',
    shows: { width: 320, height: 200 },
    by: 'aws',
  },
  {
    name: 't.webp',
    type: 'image/webp',
    mediaType: 9,
    bytes: webp(100, 50),
    word: '',
    shows: { width: 100, height: 50 },
  },
];

for (const [database, blobs] of [
  ['sqlite', 'files'],
  ['postgres', 's3'],
] as const) {
  describe(`a file of every type, on ${database} and ${blobs}`, () => {
    let flow: Flow;
    beforeAll(async () => {
      flow = await flowOn(await startServer({ database, blobs }));
    });
    afterAll(() => flow?.server.close());

    test.each(files)('$name', async (file) => {
      const mediaId = await flow.add(file);
      expect(await flow.state(mediaId)).toEqual({
        media_id: mediaId,
        knowledge_base_id: flow.baseId,
        state: 'ready',
        // [finding S8] What has no text of its own says so.
        reason: unread[file.mediaType] ?? '',
        title: file.name,
        media_type: file.mediaType,
      });
      const kept = await flow.text(mediaId);
      if (file.shows) expect(kept?.meta).toMatchObject(file.shows);
      if (file.word !== '') {
        expect(kept?.body).toContain(file.word);
        expect(await flow.found(file.word)).toContain(mediaId);
      }
      const { data } = await flow.call('get_media_info', { media_id: mediaId });
      expect(data.media_type).toBe(file.mediaType);
      const original = await fetch(data.url_info.url);
      expect(original.status).toBe(200);
      expect(Buffer.from(await original.arrayBuffer()).equals(Buffer.from(file.bytes))).toBe(true);
    });

    test('a presentation is found by the notes and text of its second slide', async () => {
      const mediaId = await flow.add(files.find((file) => file.name === 'd.pptx')!);
      await flow.state(mediaId);
      const body = (await flow.text(mediaId))!.body;
      const words = body.split(/\s+/).filter((word) => word.length > 3);
      expect(await flow.found(words[Math.floor(words.length / 2)]!)).toContain(mediaId);
    });

    test('a note and an AI session are read as they are', async () => {
      const note = await flow.server.call('http', 'note', 'import_doc', {
        content_format: 1,
        content: '# Plan\n\nbefore\n\nthe mangosteen matter\n\nafter',
      });
      const asNote = await flow.call('add_knowledge', {
        media_type: 11,
        title: 'Plan',
        knowledge_base_id: flow.baseId,
        note_info: { content_id: note.data.note_id },
      });
      const session = await flow.call('create_session', {
        title: 'Chat',
        messages: [
          { role: 'user', content: 'hello' },
          { role: 'assistant', content: 'about the soursop' },
          { role: 'user', content: 'bye' },
        ],
      });
      const asSession = await flow.call('add_knowledge', {
        media_type: 12,
        title: 'Chat',
        knowledge_base_id: flow.baseId,
        session_info: { content_id: session.data.session_id },
      });
      for (const [added, word] of [
        [asNote, 'mangosteen'],
        [asSession, 'soursop'],
      ] as const) {
        expect(added.code).toBe(0);
        expect(await flow.state(added.data.media_id)).toMatchObject({ state: 'ready' });
        expect(await flow.found(word)).toEqual([added.data.media_id]);
      }
    });
  });
}
