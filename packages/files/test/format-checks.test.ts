import { describe, expect, it } from 'vitest';
import { formatKinds, checkFormat, formatCheckBytes, type FormatKind } from '../src/index.ts';
import { utf16, utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { aac, jpeg, m4a, mp3, png, wav, webp } from '@sheaf/tools/testing/formats/media.ts';
import { docx, pptx, xlsx, xmindJson, xmindXml, zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { eml, msg } from '@sheaf/tools/testing/formats/mail.ts';
import { doc, ppt, xls, xlsb } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { epub, odp, ods, odt, rtf, svg } from '@sheaf/tools/testing/formats/open-document.ts';
import { simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';

const samples: Array<[name: string, bytes: Uint8Array, kinds: FormatKind[]]> = [
  ['pdf', simplePdf(), ['pdf']],
  ['docx', docx(), ['doc', 'docx', 'zip']],
  ['doc', doc([{ text: 'x' }]), ['doc', 'docx']],
  ['pptx', pptx(), ['ppt', 'pptx', 'zip']],
  ['ppt', ppt([{ title: 'a', body: 'b' }]), ['ppt', 'pptx']],
  ['xlsx', xlsx(), ['xls', 'xlsx', 'zip']],
  ['xls', xls([['a']]), ['xls', 'xlsx']],
  ['xmind json', xmindJson(), ['xmind', 'zip']],
  ['xmind xml', xmindXml(), ['xmind', 'zip']],
  ['png', png(2, 2), ['image']],
  ['jpeg', jpeg(2, 2), ['image']],
  ['webp', webp(2, 2), ['image']],
  ['mp3', mp3(1), ['audio']],
  ['mp3 with tags', mp3(1, { TIT2: 'x' }), ['audio']],
  ['m4a', m4a(1), ['audio']],
  ['wav', wav(1), ['audio']],
  ['aac', aac(5), ['audio']],
  ['rtf', rtf(), ['rtf']],
  ['odt', odt(), ['odt', 'zip']],
  ['odp', odp(), ['odp', 'zip']],
  ['ods', ods(), ['ods', 'zip']],
  ['epub', epub(), ['epub', 'zip']],
  ['xlsb', xlsb([['a']]), ['xls', 'xlsb', 'xlsx', 'zip']],
  ['zip', zip({ 'a.txt': 'b' }), ['zip']],
  ['msg', msg({ subject: 'a' }), ['msg']],
  ['eml', eml({ subject: 'a', text: 'b' }), ['csv', 'eml', 'html', 'markdown', 'text']],
  ['mbox', utf8('From a\nSubject: b\n\nc\n'), ['csv', 'eml', 'html', 'markdown', 'mbox', 'text']],
  ['svg', svg(), ['csv', 'html', 'markdown', 'svg', 'text']],
  ['text', utf8('hello, 世界\n'), ['csv', 'html', 'markdown', 'text']],
  ['wide text', utf16('\ufeffhello'), ['csv', 'html', 'markdown', 'text']],
];
/** All kinds except the one that takes any file. */
const kinds = formatKinds.filter((kind) => kind !== 'file');

describe('checkFormat', () => {
  it('has a sample of every kind', () => {
    const sampled = samples.flatMap(([, , accepted]) => accepted);
    expect(kinds.filter((kind) => !sampled.includes(kind))).toEqual([]);
  });

  it.each(samples)('%s bytes are accepted as what they are and as nothing else', async (_name, bytes, accepted) => {
    const verdicts = await Promise.all(
      kinds.map(async (kind) => [kind, (await checkFormat(bytes, kind, { whole: true })).ok] as const),
    );
    expect(
      verdicts
        .filter(([, ok]) => ok)
        .map(([kind]) => kind)
        .toSorted(),
    ).toEqual(accepted.toSorted());
  });

  it.each(samples)('the first bytes of %s are never refused as what they are', async (_name, bytes, accepted) => {
    for (const kind of accepted)
      expect(await checkFormat(bytes.subarray(0, formatCheckBytes), kind)).toMatchObject({ ok: true });
  });

  it('a .pdf that is a zip is refused with what it is', async () => {
    expect(await checkFormat(docx(), 'pdf')).toEqual({
      ok: false,
      message: expect.stringMatching(/^The file contents are not a PDF\. They look like application\//),
    });
    expect(await checkFormat(new Uint8Array(), 'text')).toEqual({ ok: false, message: 'The file is empty.' });
  });
});
