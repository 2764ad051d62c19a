import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { decode, checkFormat, type FormatKind } from '../src/index.ts';
import { concat, utf16, utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import {
  docx,
  docxParts,
  inlineCell,
  pptx,
  pptxParts,
  wordParagraph,
  xlsx,
  xlsxParts,
  xmindJson,
  zip,
  type Parts,
} from '@sheaf/tools/testing/formats/ooxml.ts';
import { doc, ppt, xls } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { m4a, mp3, png, wav, aac, jpeg, webp } from '@sheaf/tools/testing/formats/media.ts';
import { manyPagesPdf, simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { rawZip, type RawEntry } from '@sheaf/tools/testing/formats/raw-zip.ts';

const mib = 1024 * 1024;
const zeros = new Uint8Array(24 * mib);

const mainPart: Record<'docx' | 'pptx' | 'xlsx' | 'xmind', { parts: () => Parts; victim: string }> = {
  docx: { parts: () => docxParts(wordParagraph('x')), victim: 'word/document.xml' },
  pptx: { parts: () => pptxParts([{ title: 'a', lines: ['b'] }]), victim: 'ppt/slides/slide1.xml' },
  xlsx: { parts: () => xlsxParts(inlineCell('A1', 'x')), victim: 'xl/worksheets/sheet1.xml' },
  xmind: { parts: () => ({ 'content.json': '[]' }), victim: 'content.json' },
};
const zipKinds = ['docx', 'pptx', 'xlsx', 'xmind'] as const;

function withVictim(kind: keyof typeof mainPart, victim: Omit<RawEntry, 'name'>): Uint8Array {
  const { parts, victim: name } = mainPart[kind];
  return rawZip(
    Object.entries(parts()).map(([part, data]) =>
      part === name ? { name, ...victim } : { name: part, data: typeof data === 'string' ? utf8(data) : data },
    ),
  );
}

describe('archives', () => {
  it.each(zipKinds)('[T20] %s: an honest bomb is refused before inflation', async (kind) => {
    // The packed bytes are garbage: had anything been inflated, the file would be damaged, not too large.
    const bomb = withVictim(kind, { data: zeros, garbage: true });
    expect(bomb.length).toBeLessThan(mib);
    await expect(decode(bomb, { kind })).rejects.toMatchObject({ word: 'too_large' });
  });

  it('[T20] many parts that are harmless alone are refused by their sum', async () => {
    const entries = Array.from({ length: 8 }, (_, index) => ({
      name: `word/part${index}.xml`,
      data: new Uint8Array(mib),
    }));
    const bytes = rawZip(entries);
    await expect(decode(bytes, { kind: 'docx', limits: { maxTotalBytes: 7 * mib } })).rejects.toMatchObject({
      word: 'too_large',
    });
  });

  it.each(zipKinds)('[T21] %s: a directory that lies about a size is caught while inflating', async (kind) => {
    const bomb = withVictim(kind, { data: zeros, declaredSize: 5_000 });
    const before = process.memoryUsage.rss();
    await expect(decode(bomb, { kind })).rejects.toMatchObject({
      word: 'too_large',
      message: expect.stringContaining('5000 bytes'),
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * mib);
  });

  it('[T22] a million entries are refused from the count, and from the list when the count lies', async () => {
    const entries = Array.from({ length: 300 }, (_, index) => ({ name: `e${index}`, data: new Uint8Array() }));
    await expect(decode(rawZip(entries, { declaredCount: 0xffff }), { kind: 'docx' })).rejects.toMatchObject({
      word: 'too_many_entries',
    });
    await expect(decode(rawZip(entries), { kind: 'docx', limits: { maxEntries: 299 } })).rejects.toMatchObject({
      word: 'too_many_entries',
    });
    await expect(
      decode(rawZip(entries, { declaredCount: 5 }), { kind: 'docx', limits: { maxEntries: 299 } }),
    ).rejects.toMatchObject({ word: 'too_many_entries' });
    await expect(decode(rawZip(entries, { declaredCount: 5 }), { kind: 'docx' })).rejects.toMatchObject({
      word: 'damaged',
    });
  });

  it('[T22] an archive inside an archive is never opened', async () => {
    const inner = xmindJson();
    await expect(
      decode(zip({ 'inner.zip': inner, 'content/content.json': '[]' }), { kind: 'xmind' }),
    ).rejects.toMatchObject({ word: 'unsupported' });
    const parts = docxParts(wordParagraph('outer'));
    parts['word/embeddings/inner.docx'] = inner;
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('outer');
  });

  it('[T23] names that climb out are keys, never paths', async () => {
    const parts = {
      ...docxParts(wordParagraph('kept')),
      '../../evil.xml': '<x/>',
      '/etc/evil.xml': '<x/>',
      'word/..\\..\\evil.xml': '<x/>',
    };
    const bytes = zip(parts);
    expect((await decode(bytes, { kind: 'docx' })).text).toBe('kept');
  });

  it('[T24] a bomb renamed to an old extension meets the same guard; a plain docx named .doc is read', async () => {
    for (const [kind, inside] of [
      ['doc', 'docx'],
      ['ppt', 'pptx'],
      ['xls', 'xlsx'],
    ] as const) {
      await expect(decode(withVictim(inside, { data: zeros, garbage: true }), { kind })).rejects.toMatchObject({
        word: 'too_large',
      });
    }
    expect((await decode(zip(docxParts(wordParagraph('inside'))), { kind: 'doc' })).text).toBe('inside');
  });

  it('[T24] application/zip as Xmind: only a real one is accepted', async () => {
    const other = zip({ 'readme.txt': 'hello' });
    expect(await checkFormat(other, 'xmind', { whole: true })).toMatchObject({ ok: false });
    await expect(decode(other, { kind: 'xmind' })).rejects.toMatchObject({
      word: 'unsupported',
      message: expect.stringContaining('content.json'),
    });
    await expect(decode(withVictim('xmind', { data: zeros, garbage: true }), { kind: 'xmind' })).rejects.toMatchObject({
      word: 'too_large',
    });
  });
});

const laughs =
  '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>';

function poisoned(
  kind: 'docx' | 'pptx' | 'xlsx' | 'xmind',
  doctype: string,
  encode: (xml: string) => Uint8Array = utf8,
): Uint8Array {
  const parts =
    kind === 'xmind'
      ? { 'content.xml': '<xmap-content><sheet><topic><title>&c;</title></topic></sheet></xmap-content>' }
      : mainPart[kind].parts();
  const name = kind === 'xmind' ? 'content.xml' : mainPart[kind].victim;
  parts[name] = encode(String(parts[name]).replace(/^(<\?xml[^>]*\?>)?/, `$1${doctype}`));
  return zip(parts);
}

describe('[T25] entities', () => {
  it.each(zipKinds)('%s: a document type is refused, also in UTF-16', async (kind) => {
    await expect(decode(poisoned(kind, laughs), { kind })).rejects.toMatchObject({
      word: 'damaged',
      message: expect.stringContaining('document type'),
    });
    const wide = poisoned(kind, laughs, (xml) => concat(Uint8Array.of(0xff, 0xfe), utf16(xml)));
    await expect(decode(wide, { kind })).rejects.toMatchObject({
      word: 'damaged',
      message: expect.stringContaining('document type'),
    });
  });

  it('no kind makes a connection for an external entity', async () => {
    let connections = 0;
    const canary = createServer((_request, response) => response.end('x')).on('connection', () => connections++);
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x`;
    const external = `<!DOCTYPE r [<!ENTITY c SYSTEM "${address}">]>`;
    for (const kind of zipKinds) await decode(poisoned(kind, external), { kind }).catch(() => undefined);
    const html =
      `${external}<html><head><link rel="stylesheet" href="${address}"><script src="${address}"></script>` +
      `</head><body>&c;<img src="${address}"><iframe src="${address}"></iframe><p>words</p></body></html>`;
    const decoded = await decode(utf8(html), { kind: 'html', article: true, url: address });
    const relation = docxParts(wordParagraph('x'));
    relation['word/_rels/document.xml.rels'] =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="rId1" ' +
      `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="${address}` +
      '" TargetMode="External"/></Relationships>';
    await decode(zip(relation), { kind: 'docx' }).catch(() => undefined);
    await new Promise<void>((resolve) => canary.close(() => resolve()));
    expect(connections).toBe(0);
    expect(decoded.text).toContain('words');
  });

  it('html: a declared entity is not expanded', async () => {
    const { text } = await decode(utf8(`${laughs}<html><body><p>before &c; after</p></body></html>`), { kind: 'html' });
    expect(text).not.toContain('haha');
    expect(text).toContain('after');
  });

  it('svg is not taken for a picture', async () => {
    const svg = utf8(
      `<?xml version="1.0"?>${laughs}<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text>&c;</text></svg>`,
    );
    expect(await checkFormat(svg, 'image')).toMatchObject({ ok: false });
    await expect(decode(svg, { kind: 'image' })).rejects.toMatchObject({ word: 'unsupported' });
  });
});

describe('[T26] impossible sheets', () => {
  it.each([
    ['a row past the last', `<row r="1048577">${inlineCell('XFD1048577', 'x')}</row>`, ''],
    ['a column past the last', `<row r="1">${inlineCell('XFE1', 'x')}</row>`, ''],
    ['no cell at all', `<row r="1">${inlineCell('1A', 'x')}</row>`, ''],
    ['a row number of a billion', '<row r="1000000000"></row>', ''],
    ['a declared dimension of a billion rows', inlineCell('A1', 'x'), '<dimension ref="A1:XFD1000000000"/>'],
  ])('%s is an error', async (_name, rows, dimension) => {
    const before = process.memoryUsage.rss();
    await expect(decode(zip(xlsxParts(rows, dimension)), { kind: 'xlsx' })).rejects.toMatchObject({ word: 'damaged' });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * mib);
  });

  it('more cells than the limit are refused', async () => {
    const row = `<row r="1">${Array.from({ length: 20 }, (_, index) => inlineCell(`${String.fromCharCode(65 + index)}1`, 'x')).join('')}</row>`;
    await expect(decode(zip(xlsxParts(row)), { kind: 'xlsx', limits: { maxCells: 19 } })).rejects.toMatchObject({
      word: 'too_large',
    });
  });
});

describe('[T27] pdf', () => {
  it('a count of a million pages is not believed', async () => {
    expect((await decode(manyPagesPdf(1, 1_000_000), { kind: 'pdf' })).meta.pages).toBe(1);
  });

  it('more pages than the limit are refused', async () => {
    await expect(decode(manyPagesPdf(40), { kind: 'pdf', limits: { maxPages: 39 } })).rejects.toMatchObject({
      word: 'too_large',
      message: expect.stringContaining('40 pages'),
    });
    expect((await decode(manyPagesPdf(40), { kind: 'pdf', limits: { maxPages: 40 } })).meta.pages).toBe(40);
  });
});

describe('[T29] pictures', () => {
  it('reads dimensions of the three kinds', async () => {
    expect((await decode(png(640, 480), { kind: 'image' })).meta).toEqual({ format: 'png', width: 640, height: 480 });
    expect((await decode(jpeg(320, 200), { kind: 'image' })).meta).toEqual({ format: 'jpeg', width: 320, height: 200 });
    expect((await decode(webp(100, 50), { kind: 'image' })).meta).toEqual({ format: 'webp', width: 100, height: 50 });
  });

  it('60,000 by 60,000 pixels are refused from the header', async () => {
    await expect(decode(png(60_000, 60_000), { kind: 'image' })).rejects.toMatchObject({
      word: 'too_large',
      message: expect.stringContaining('60000 by 60000'),
    });
    await expect(decode(png(0, 10), { kind: 'image' })).rejects.toMatchObject({ word: 'damaged' });
  });
});

describe('[T30] sound', () => {
  it('counts the duration and reads the tags', async () => {
    expect(await decode(mp3(10, { TIT2: '一首歌', TPE1: '歌手', TALB: 'Album' }), { kind: 'audio' })).toEqual({
      title: '一首歌',
      text: '一首歌\n歌手\nAlbum',
      headings: [],
      meta: { format: 'mp3', duration: 10.005, author: '歌手', album: 'Album' },
    });
    expect((await decode(wav(2.5), { kind: 'audio' })).meta).toEqual({ format: 'wav', duration: 2.5 });
    expect((await decode(aac(100), { kind: 'audio' })).meta).toEqual({ format: 'aac', duration: 2.322 });
    expect((await decode(m4a(90), { kind: 'audio' })).meta).toEqual({ format: 'm4a', duration: 90 });
  });

  it('two hours pass, two hours and a second do not', async () => {
    expect((await decode(m4a(7_200), { kind: 'audio' })).meta.duration).toBe(7_200);
    await expect(decode(m4a(7_201), { kind: 'audio' })).rejects.toMatchObject({
      word: 'too_long',
      message: 'The recording lasts 2 h 0 min 1 s; the limit is 2 h 0 min 0 s. Cut it and upload the parts.',
    });
    await expect(decode(mp3(7_201), { kind: 'audio' })).rejects.toMatchObject({ word: 'too_long' });
  });

  it('a header that lies either way is not believed', async () => {
    expect((await decode(wav(1, { declaredBytes: 0xffffffff }), { kind: 'audio' })).meta.duration).toBe(1);
    expect((await decode(wav(1, { byteRate: 1 }), { kind: 'audio' })).meta.duration).toBe(1);
    expect((await decode(m4a(60, { headerSeconds: 36_000 }), { kind: 'audio' })).meta.duration).toBe(60);
    await expect(decode(m4a(9_000, { headerSeconds: 1 }), { kind: 'audio' })).rejects.toMatchObject({
      word: 'too_long',
    });
    expect((await decode(mp3(10, {}, 1_000_000), { kind: 'audio' })).meta.duration).toBe(10.005);
    await expect(decode(mp3(7_300, {}, 10), { kind: 'audio' })).rejects.toMatchObject({ word: 'too_long' });
  });

  it('a video is not sound', async () => {
    await expect(decode(m4a(10, { handler: 'vide' }), { kind: 'audio' })).rejects.toMatchObject({
      word: 'unsupported',
    });
  });
});

describe('input', () => {
  it('a Buffer that is a window on a larger one is read like its bytes, and left as it was', async () => {
    const samples: Array<[FormatKind, Uint8Array]> = [
      ['pdf', simplePdf()],
      ['docx', docx()],
      ['doc', doc([{ text: 'x' }])],
      ['pptx', pptx()],
      ['ppt', ppt([{ title: 'a', body: 'b' }])],
      ['xlsx', xlsx()],
      ['xls', xls([['a']])],
      ['csv', utf8('a,b')],
      ['html', utf8('<p>x</p>')],
      ['markdown', utf8('# x')],
      ['text', utf8('x')],
      ['xmind', xmindJson()],
      ['image', png(1, 2)],
      ['audio', wav(1)],
    ];
    for (const [kind, bytes] of samples) {
      const around = Buffer.concat([Buffer.alloc(7, 1), bytes, Buffer.alloc(9, 2)]);
      const window = around.subarray(7, 7 + bytes.length);
      expect(await decode(window, { kind }), kind).toEqual(await decode(bytes, { kind }));
      expect(window.equals(bytes), kind).toBe(true);
    }
  });
});

describe('errors', () => {
  it('an empty file of any kind is damaged', async () => {
    const kinds: FormatKind[] = [
      'pdf',
      'docx',
      'doc',
      'pptx',
      'ppt',
      'xlsx',
      'xls',
      'csv',
      'html',
      'markdown',
      'text',
      'xmind',
      'image',
      'audio',
    ];
    for (const kind of kinds)
      await expect(decode(new Uint8Array(), { kind })).rejects.toMatchObject({ name: 'FormatError', word: 'damaged' });
  });
});
