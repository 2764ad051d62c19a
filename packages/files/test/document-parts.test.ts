import { describe, expect, it } from 'vitest';
import { doc, ppt } from '@sheaf/tools/testing/formats/ole-documents.ts';
import {
  docxParts,
  pptxParts,
  relations,
  wordNamespace,
  wordParagraph,
  zip,
} from '@sheaf/tools/testing/formats/ooxml.ts';
import { formPdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { decode } from '../src/index.ts';

const docxText = async (body: string): Promise<string> => (await decode(zip(docxParts(body)), { kind: 'docx' })).text;
const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;

describe('[finding F8] docx', () => {
  it('reads every body of the document', async () => {
    const parts = docxParts('');
    parts['word/document.xml'] =
      `<w:document ${wordNamespace}><w:body>${wordParagraph('One')}</w:body><w:body>${wordParagraph('Two')}</w:body></w:document>`;
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('One\nTwo');
  });

  it('reads text boxes once, insertions, content controls, math and symbols; not deletions and codes', async () => {
    const box = (text: string): string => `<w:txbxContent>${wordParagraph(text)}</w:txbxContent>`;
    expect(
      await docxText(
        `<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><mc:AlternateContent><mc:Choice>${box('Boxed')}</mc:Choice><mc:Fallback>${box('Boxed')}</mc:Fallback>` +
          `</mc:AlternateContent>${run('Outer')}</w:p><w:sdt><w:sdtContent><w:p>` +
          `<w:ins>${run('in')}</w:ins><w:del><w:r><w:delText>out</w:delText></w:r></w:del>` +
          '<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath><w:r><w:sym w:char="00A9"/></w:r></w:p></w:sdtContent></w:sdt>' +
          '<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "https://example.com"</w:instrText>' +
          `<w:fldChar w:fldCharType="separate"/></w:r>${run('link')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>` +
          `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>${wordParagraph('After an open field')}`,
      ),
    ).toBe('Boxed\nOuter\ninE=mc©\nlink (https://example.com)\nAfter an open field');
  });

  it('reads files of another format inside', async () => {
    const parts = docxParts('<w:altChunk r:id="rId9"/>');
    parts['word/_rels/document.xml.rels'] = relations(['rId9', 'aFChunk', 'chunk.html']);
    parts['word/chunk.html'] = utf8('<p>Chunk <b>words</b></p>');
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('Chunk words');
  });
});

describe('[finding F8] pptx', () => {
  it('reads footers, and what stands on layouts and masters, once', async () => {
    const parts = pptxParts([
      { title: 'A', lines: ['a'] },
      { title: 'B', lines: ['b'] },
    ]);
    const shape = (text: string, type?: string): string =>
      `<p:sp><p:nvSpPr><p:nvPr>${type === undefined ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr>` +
      `<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    for (const number of [1, 2]) {
      const part = `ppt/slides/slide${number}.xml`;
      parts[part] = String(parts[part]).replace('</p:spTree>', `${shape('Company footer', 'ftr')}</p:spTree>`);
      parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations(['rId1', 'slideLayout', '../slideLayouts/l.xml']);
    }
    parts['ppt/slideLayouts/l.xml'] =
      `<p:x xmlns:p="p" xmlns:a="a">${shape('Click to edit', 'body')}${shape('Confidential')}</p:x>`;
    const { text, pages } = await decode(zip(parts), { kind: 'pptx' });
    expect(text).toBe('A\n\na\n\nB\n\nb\nCompany footer\nConfidential');
    expect(pages?.map(({ label }) => label)).toEqual(['slide 1', 'slide 2']);
  });
});

describe('[finding F8] doc and ppt', () => {
  it('reads text behind field marks that nothing closes, as in text pasted from web pages', async () => {
    const bytes = doc([
      { text: '\u0013 HTMLCONTROL' },
      { text: 'Soak the rice' },
      { text: 'a \u0013 X \u0014b\u0015 c' },
    ]);
    expect((await decode(bytes, { kind: 'doc' })).text).toBe('HTMLCONTROL\nSoak the rice\na b c');
  });

  it('reads slides with their numbers, notes and footers of ppt', async () => {
    const decoded = await decode(
      ppt([
        { title: 'One', body: 'Body', notes: 'Speaker words', footer: 'Foot' },
        { title: 'Two', body: 'Last', footer: 'Foot' },
      ]),
      { kind: 'ppt' },
    );
    expect(decoded.text).toBe('One\n\nBody\nSpeaker words\n\nTwo\n\nLast\nFoot');
    expect(decoded.pages?.map(({ label }) => label)).toEqual(['slide 1', 'slide 2']);
  });

  it('reads ppt whose directory leads nowhere', async () => {
    const bytes = ppt([{ title: 'One', body: 'Body', box: 'Box' }], { isLost: true });
    expect((await decode(bytes, { kind: 'ppt' })).text).toContain('Body');
  });
});

describe('[finding F8] pdf forms and annotations', () => {
  it('reads field values, list items, captions, free text and comments; it is not called scanned', async () => {
    const { text, remark } = await decode(formPdf(), { kind: 'pdf' });
    for (const word of ['Typed value', 'First item', 'Second item', 'Press me', 'Free words', 'A comment'])
      expect(text).toContain(word);
    expect(remark).toBeUndefined();
  });
});
