import { describe, expect, it } from 'vitest';
import { concat, u16, u32, utf16 } from '@sheaf/tools/testing/formats/bytes.ts';
import { emf, emfBlip, wmf } from '@sheaf/tools/testing/formats/metafile.ts';
import { doc, ppt } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { docxParts, pptxParts, relations, wordParagraph, zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { decode } from '../src/index.ts';
import { metafileLines } from '../src/text/metafile.ts';

const drawn = (text: string): Uint8Array => emf([{ text, x: 0, y: 0 }]);

describe('[finding F8] text of metafiles', () => {
  it('joins what touches on one base line, parts what does not, and skips symbols and numbers', () => {
    const bytes = emf([
      { text: 'Sales', x: 0, y: 0 },
      { text: 'man', x: 50, y: 0 },
      { text: 'of', x: 90, y: 0 },
      { text: 'the year', x: 0, y: 30 },
      { text: 'abc', x: 0, y: 60, charset: 2 },
      { text: '2026', x: 0, y: 90 },
    ]);
    expect(metafileLines(bytes)).toEqual(['Salesman of', 'the year']);
  });

  it('reads WMF in the charset of its font', () => {
    const bytes = wmf([
      { bytes: Buffer.from('Caf\xe9', 'latin1'), x: 0, y: 0 },
      { bytes: Buffer.from('d6aacab6', 'hex'), x: 0, y: 40, charset: 134 },
    ]);
    expect(metafileLines(bytes)).toEqual(['Café', '知识']);
    expect(metafileLines(concat(u32(0x9ac6cdd7), new Uint8Array(18), bytes))).toEqual(['Café', '知识']);
  });

  it('reads strings of EMF+ where the other records draw none', () => {
    const text = utf16('Plus words!!');
    const string = concat(u16(0x401c, 0), u32(40 + text.length, 28 + text.length, 0, 0, text.length / 2));
    const plus = concat(u32(0x2b464d45), string, new Uint8Array(16), text);
    const comment = concat(u32(70, 12 + plus.length, plus.length), plus);
    expect(metafileLines(concat(emf([]).subarray(0, 88), comment))).toEqual(['Plus words!!']);
  });

  it('[T99] takes lengths and sizes of a false metafile for nothing', () => {
    const bytes = drawn('Kept');
    for (let at = 0; at < bytes.length; at += 2)
      for (const value of [0, 0xffff]) {
        const broken = bytes.slice();
        new DataView(broken.buffer).setUint16(at, value, true);
        expect(metafileLines(broken).length).toBeLessThan(2);
      }
    expect(metafileLines(new Uint8Array(3))).toEqual([]);
  });
});

describe('[finding F8] previews of objects', () => {
  it('are read in docx, each line once', async () => {
    const picture = '<w:r><w:object><v:imagedata r:id="rId7"/></w:object></w:r>';
    const parts = docxParts(`${wordParagraph('Before')}<w:p>${picture}${picture}</w:p>`);
    parts['word/_rels/document.xml.rels'] = relations(['rId7', 'image', 'media/image1.emf']);
    parts['word/media/image1.emf'] = drawn('Embedded sheet');
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('Before\nEmbedded sheet');
  });

  it('are read in pptx, also where a drawing for old versions names them', async () => {
    const parts = pptxParts([{ title: 'One', lines: ['a'] }]);
    parts['ppt/slides/_rels/slide1.xml.rels'] = relations(['rId1', 'vmlDrawing', '../drawings/vmlDrawing1.vml']);
    parts['ppt/drawings/vmlDrawing1.vml'] = '<xml/>';
    parts['ppt/drawings/_rels/vmlDrawing1.vml.rels'] = relations(['rId1', 'image', '../media/image1.wmf']);
    parts['ppt/media/image1.wmf'] = wmf([{ bytes: Buffer.from('Linked slide'), x: 0, y: 0 }]);
    expect((await decode(zip(parts), { kind: 'pptx' })).text).toBe('One\n\na\nLinked slide');
  });

  it('[T99] are inflated once, however many slides show them', async () => {
    const parts = pptxParts(Array.from({ length: 40 }, () => ({ title: 'One', lines: ['a'] })));
    for (let slide = 1; slide <= 40; slide++)
      parts[`ppt/slides/_rels/slide${slide}.xml.rels`] = relations(['rId1', 'image', '../media/image1.emf']);
    parts['ppt/media/image1.emf'] = concat(drawn('Logo'), crypto.getRandomValues(new Uint8Array(50_000)));
    const { text } = await decode(zip(parts), { kind: 'pptx', limits: { maxTotalBytes: 400_000 } });
    expect(text.match(/Logo/g)).toHaveLength(40);
  });

  it('are read in ppt on the slide that shows them', async () => {
    const bytes = ppt([
      { title: 'One', body: 'a', picture: emfBlip(drawn('First object')) },
      { title: 'Two', body: 'b', picture: emfBlip(drawn('Second object')) },
    ]);
    expect((await decode(bytes, { kind: 'ppt' })).text).toBe('One\n\na\nFirst object\n\nTwo\n\nb\nSecond object');
  });

  it('are read in doc: in the text and above it, with the text of WordArt', async () => {
    const pictures = { inText: drawn('Inline object'), floating: drawn('Floating object'), wordArt: 'Curved' };
    const bytes = doc([{ text: 'Before' }], { pictures });
    expect((await decode(bytes, { kind: 'doc' })).text).toBe('Before\nInline object\nCurved\nFloating object');
  });

  it('[T99] a picture that inflates to more than it states is not read, the slide is', async () => {
    const bytes = ppt([{ title: 'One', body: 'a', picture: emfBlip(new Uint8Array(8 * 2 ** 20), 100) }]);
    expect((await decode(bytes, { kind: 'ppt' })).text).toBe('One\n\na');
    const huge = ppt([{ title: 'One', body: 'a', picture: emfBlip(drawn('Unread'), 2 ** 31) }]);
    expect((await decode(huge, { kind: 'ppt' })).text).toBe('One\n\na');
  });
});

describe('charts', () => {
  it('show the title that Office gives them until somebody types one', async () => {
    const series = '<c:ser/><c:ser/>';
    const chart = (title: string, content = series): string =>
      `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart>${title}<c:plotArea>${content}<c:valAx><c:title/></c:valAx></c:plotArea></c:chart></c:chartSpace>`;
    const textOf = async (xml: string): Promise<string> => {
      const parts = docxParts('<w:p><w:r><c:chart r:id="rId7"/></w:r></w:p>');
      parts['word/_rels/document.xml.rels'] = relations(['rId7', 'chart', 'charts/chart1.xml']);
      parts['word/charts/chart1.xml'] = xml;
      return (await decode(zip(parts), { kind: 'docx' })).text;
    };
    const typed = '<c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>';
    expect(await textOf(chart('<c:title><c:overlay/></c:title>'))).toBe('Axis Title\nChart Title');
    expect(await textOf(chart(typed))).toBe('Sales\nAxis Title');
    expect(await textOf(chart('<c:title/>', '<c:ser/>'))).toBe('Axis Title');
    expect(await textOf(chart(''))).toBe('Axis Title');
  });
});
