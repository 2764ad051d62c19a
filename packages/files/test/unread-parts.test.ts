import { describe, expect, test } from 'vitest';
import { decode, checkFormat } from '../src/index.ts';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { adif } from '@sheaf/tools/testing/formats/media.ts';
import { oldDoc } from '@sheaf/tools/testing/formats/ole-documents.ts';
import {
  docxParts,
  drawingNamespaces,
  pptxParts,
  relations,
  wordNamespace,
  wordParagraph,
  zip,
} from '@sheaf/tools/testing/formats/ooxml.ts';
import { linesPdf, scannedPdf } from '@sheaf/tools/testing/formats/pdf.ts';

describe('[finding F6] Word 6 and Word 95', () => {
  test('are read, with their headings', async () => {
    const text = Buffer.from('Einleitung\rÜber \x13PAGE\x14vier\x15 Felder\r', 'latin1');
    const decoded = await decode(oldDoc(text, 0x0407, [{ level: 1, from: 0, to: 11 }]), { kind: 'doc' });
    expect(decoded).toMatchObject({
      text: 'Einleitung\nÜber vier Felder',
      headings: [{ level: 1, text: 'Einleitung', offset: 0 }],
      meta: { format: 'doc' },
    });
  });

  test('in the charset of their language', async () => {
    const russian = Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0d]);
    expect((await decode(oldDoc(russian, 0x0419), { kind: 'doc' })).text).toBe('Привет');
    const chinese = Uint8Array.from([0xd6, 0xaa, 0xca, 0xb6, 0x0d]);
    expect((await decode(oldDoc(chinese, 0x0804), { kind: 'doc' })).text).toBe('知识');
  });
});

describe('[finding F6] docx', () => {
  test('simple fields, headers and footers are part of the text', async () => {
    const field =
      '<w:p><w:r><w:t xml:space="preserve">Written by </w:t></w:r><w:fldSimple w:instr=" AUTHOR &gt; ">' +
      '<w:r><w:t>Ada</w:t></w:r></w:fldSimple><w:fldSimple w:instr=" PAGE "/></w:p>';
    const parts = docxParts(field);
    parts['word/_rels/document.xml.rels'] = relations(
      ['rId1', 'styles', 'styles.xml'],
      ['rId2', 'header', 'header1.xml'],
      ['rId3', 'header', 'header2.xml'],
      ['rId4', 'footer', 'footer1.xml'],
    );
    parts['word/header1.xml'] = `<w:hdr ${wordNamespace}>${wordParagraph('机密 Wombat Ltd')}</w:hdr>`;
    parts['word/header2.xml'] = parts['word/header1.xml'];
    parts['word/footer1.xml'] = `<w:ftr ${wordNamespace}>${wordParagraph('draft of May')}${wordParagraph('7')}</w:ftr>`;
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('Written by Ada\n机密 Wombat Ltd\ndraft of May');
  });

  test('links keep their targets, once', async () => {
    const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const parts = docxParts(
      '<w:p xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
        `${run('See ')}<w:hyperlink r:id="rId9">${run('the ')}${run('manual')}</w:hyperlink>${run('.')}</w:p>`,
    );
    parts['word/_rels/document.xml.rels'] = relations(
      ['rId1', 'styles', 'styles.xml'],
      ['rId9', 'hyperlink', 'https://wombat.example/manual" TargetMode="External'],
    );
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('See the manual (https://wombat.example/manual).');
  });
});

describe('[finding F6] other parts', () => {
  test('charts of slides', async () => {
    const parts = pptxParts([{ title: 'Sales', lines: ['Numbers'] }]);
    parts['ppt/slides/_rels/slide1.xml.rels'] = relations(['rId1', 'chart', '../charts/chart1.xml']);
    parts['ppt/charts/chart1.xml'] =
      `<c:chartSpace ${drawingNamespaces}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sold </a:t></a:r>` +
      '<a:r><a:t>otters</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:ser><c:tx><c:strRef><c:strCache>' +
      '<c:pt><c:v>北京</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt><c:v>Q1</c:v></c:pt>' +
      '</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt><c:v>17</c:v></c:pt></c:numCache></c:numRef>' +
      '</c:val></c:ser></c:plotArea></c:chart></c:chartSpace>';
    expect((await decode(zip(parts), { kind: 'pptx' })).text).toBe('Sales\n\nNumbers\nSold otters\n北京\nQ1');
  });

  test('values of PDF forms', async () => {
    const bytes = linesPdf(
      ['Application'],
      [
        ['name', 'Tx', '(Ada Lovelace)'],
        ['town', 'Ch', '(Ockham)'],
        ['agreed', 'Btn', '/Yes'],
      ],
    );
    expect((await decode(bytes, { kind: 'pdf' })).text).toBe('Application\nAda Lovelace\nOckham');
  });

  test('words divided at the end of a PDF line', async () => {
    const bytes = linesPdf([
      'An infor-',
      'mation system is well-',
      'known, and a well-known one',
      'keeps Jean-',
      'Paul as he is -',
      'written apart.',
    ]);
    expect((await decode(bytes, { kind: 'pdf' })).text).toBe(
      'An information\nsystem is well-known,\nand a well-known one\nkeeps Jean-\nPaul as he is -\nwritten apart.',
    );
  });

  test('targets of Markdown links', async () => {
    const source =
      'Read [the manual](https://wombat.example/m "title"), [part][1], <https://plain.example>, ' +
      '[mail](mailto:ada@wombat.example), [up](#top).\n\n[1]: other/part.md\n';
    expect((await decode(utf8(source), { kind: 'markdown' })).text).toBe(
      'Read the manual (https://wombat.example/m), part (other/part.md), https://plain.example, ' +
        'mail (ada@wombat.example), up.',
    );
  });

  test('AAC in one stream', async () => {
    const bytes = adif(48_000, 64_000);
    expect(await checkFormat(bytes, 'audio')).toEqual({ ok: true, contentType: 'audio/aac' });
    expect((await decode(bytes, { kind: 'audio' })).meta).toMatchObject({ format: 'aac', duration: 6 });
    await expect(decode(adif(48_000, 1), { kind: 'audio' })).rejects.toMatchObject({ word: 'too_long' });
    await expect(decode(utf8('ADIF'), { kind: 'audio' })).rejects.toMatchObject({ word: 'unsupported' });
  });
});

describe('[finding S8] why a text is empty', () => {
  test('a scanned PDF says so, and one that is scanned for the most part', async () => {
    const remark = async (pictures: number, texts: number): Promise<string | undefined> =>
      (await decode(scannedPdf(pictures, texts), { kind: 'pdf' })).remark;
    expect(await remark(2, 0)).toMatch(/^The PDF contains no text, only pictures of its pages\. .*\(OCR\)/);
    expect(await remark(3, 2)).toMatch(/^3 of the 5 pages contain no text\./);
    expect(await remark(1, 2)).toBeUndefined();
  });

  test('any other file without text does', async () => {
    expect((await decode(utf8(' \n'), { kind: 'text' })).remark).toMatch(/^The file contains no text/);
    expect((await decode(utf8('a'), { kind: 'text' })).remark).toBeUndefined();
  });
});
