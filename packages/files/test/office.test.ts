import { writeXlsx } from 'hucre/xlsx';
import WordExtractor from 'word-extractor';
import { describe, expect, it } from 'vitest';
import { decode } from '../src/index.ts';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import {
  docx,
  docxParts,
  inlineCell,
  pptx,
  wordParagraph,
  xlsx,
  xlsxParts,
  xmindJson,
  xmindXml,
  zip,
} from '@sheaf/tools/testing/formats/ooxml.ts';
import { doc, ppt, xls } from '@sheaf/tools/testing/formats/ole-documents.ts';

describe('docx', () => {
  it('gives the text, headings with offsets, title and author', async () => {
    const decoded = await decode(docx(), { kind: 'docx' });
    expect(decoded).toEqual({
      title: '季度报告',
      text: '第一章 概述\n知识库的正文在这里。\n\nSecond part\nPlain words & more.',
      headings: [
        { level: 1, text: '第一章 概述', offset: 0 },
        { level: 2, text: 'Second part', offset: 19 },
      ],
      meta: { format: 'docx', author: '李雷' },
    });
    expect(decoded.text.slice(19, 30)).toBe('Second part');
  });

  it('reads table cells with tabs between and rows on lines', async () => {
    const cell = (text: string): string => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const body = `<w:tbl><w:tr>${cell('姓名')}${cell('城市')}</w:tr><w:tr>${cell('韩梅梅')}${cell('上海')}</w:tr></w:tbl>`;
    expect((await decode(docx(body), { kind: 'docx' })).text).toBe('姓名\t城市\n韩梅梅\t上海');
  });

  it('reads footnotes after the body', async () => {
    const ns = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const parts = docxParts('<w:p><w:r><w:t>Body</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>');
    parts['word/footnotes.xml'] =
      `<w:footnotes ${ns}><w:footnote w:id="2">${wordParagraph('脚注内容')}</w:footnote></w:footnotes>`;
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('Body\n脚注内容');
  });

  it('reads parts written in UTF-16', async () => {
    const parts = docxParts('');
    parts['word/document.xml'] = new Uint8Array(
      Buffer.from(
        `\ufeff<?xml version="1.0" encoding="UTF-16"?>` +
          '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>' +
          `${wordParagraph('宽字符')}</w:body></w:document>`,
        'utf16le',
      ),
    );
    expect((await decode(zip(parts), { kind: 'docx' })).text).toBe('宽字符');
  });
});

describe('doc', () => {
  const paragraphs = [
    { text: '引言', style: 1 },
    { text: '这是旧格式的正文。' },
    { text: 'Details', style: 2 },
    { text: 'See \u0013 HYPERLINK "http://a" \u0014the link\u0015 here' },
  ];

  it('gives text, headings and title; field codes are left out', async () => {
    expect(await decode(doc(paragraphs, { title: '旧文档' }), { kind: 'doc' })).toEqual({
      title: '旧文档',
      text: '引言\n这是旧格式的正文。\n\nDetails\nSee the link here',
      headings: [
        { level: 1, text: '引言', offset: 0 },
        { level: 2, text: 'Details', offset: 14 },
      ],
      meta: { format: 'doc' },
    });
  });

  it('agrees with another reader of the same file', async () => {
    const bytes = doc([{ text: '引言' }, { text: '这是旧格式的正文。' }]);
    const other = await new WordExtractor().extract(Buffer.from(bytes));
    expect(other.getBody().trim()).toBe('引言\n这是旧格式的正文。');
    expect((await decode(bytes, { kind: 'doc' })).text).toBe('引言\n这是旧格式的正文。');
  });

  it('says what to do about an encrypted one', async () => {
    await expect(decode(doc(paragraphs, { encrypted: true }), { kind: 'doc' })).rejects.toMatchObject({
      word: 'encrypted',
      message: expect.stringContaining('file_info.password'),
    });
  });
});

describe('pptx', () => {
  it('reads slides in their shown order, titles as headings, tables, notes; not the slide number', async () => {
    expect(await decode(pptx(), { kind: 'pptx' })).toEqual({
      title: '路线图',
      text: '路线图\n\n第一季度：搜索\nSecond line\n甲\t乙\n1\t2\n讲者备注\n\nSecond slide\n\nThe end',
      headings: [
        { level: 1, text: '路线图', offset: 0 },
        { level: 1, text: 'Second slide', offset: 39 },
      ],
      pages: [
        { label: 'slide 1', offset: 0 },
        { label: 'slide 2', offset: 39 },
      ],
      meta: { format: 'pptx', slides: 2 },
    });
  });
});

describe('ppt', () => {
  it('reads slides from the outline and text boxes from the drawing, not the master', async () => {
    expect(
      await decode(
        ppt([
          { title: '第一页', body: 'Body one', box: '文本框' },
          { title: '第二页', body: 'Body two' },
        ]),
        { kind: 'ppt' },
      ),
    ).toEqual({
      title: '第一页',
      text: '第一页\n\nBody one\n文本框\n\n第二页\n\nBody two',
      headings: [
        { level: 1, text: '第一页', offset: 0 },
        { level: 1, text: '第二页', offset: 19 },
      ],
      pages: [
        { label: 'slide 1', offset: 0 },
        { label: 'slide 2', offset: 19 },
      ],
      meta: { format: 'ppt', slides: 2 },
    });
  });

  it('says what to do about an encrypted one', async () => {
    await expect(decode(ppt([{ title: 'a', body: 'b' }], { encrypted: true }), { kind: 'ppt' })).rejects.toMatchObject({
      word: 'encrypted',
    });
  });
});

describe('xlsx', () => {
  it('gives rows as lines and sheets as headings', async () => {
    expect(await decode(xlsx(), { kind: 'xlsx' })).toEqual({
      text: '销售\n城市\tAmount\n北京\t42.5',
      headings: [{ level: 1, text: '销售', offset: 0 }],
      pages: [{ label: '销售', offset: 0 }],
      meta: { format: 'xlsx', sheets: 1, rows: 2 },
    });
  });

  it('reads dates, booleans and several sheets as another program wrote them', async () => {
    const bytes = await writeXlsx({
      sheets: [
        { name: 'One', rows: [[new Date('2026-03-05T00:00:00Z'), true]] },
        { name: '二', rows: [['值', 7]] },
      ],
    });
    expect((await decode(bytes, { kind: 'xlsx' })).text).toBe('One\n2026-03-05\tTRUE\n\n二\n值\t7');
  });

  it('reads a sheet with cells in two far corners without building the grid between', async () => {
    const bytes = zip(
      xlsxParts(
        `<row r="1">${inlineCell('A1', 'first')}</row><row r="1048576">${inlineCell('XFD1048576', 'last')}</row>`,
      ),
    );
    const { text } = await decode(bytes, { kind: 'xlsx' });
    expect(text.startsWith('销售\nfirst\n')).toBe(true);
    expect(text.endsWith('last')).toBe(true);
  });
});

describe('xls', () => {
  it('gives rows as lines and sheets as headings', async () => {
    expect(
      await decode(
        xls([
          ['城市', 'Amount'],
          ['北京', 42.5, true],
        ]),
        { kind: 'xls' },
      ),
    ).toEqual({
      text: '表一\n城市\tAmount\n北京\t42.5\tTRUE',
      headings: [{ level: 1, text: '表一', offset: 0 }],
      meta: { format: 'xls', sheets: 1, rows: 2 },
    });
  });

  it('refuses bytes that are no workbook', async () => {
    await expect(decode(utf8('<table><tr><td>1</td></tr></table>'), { kind: 'xls' })).rejects.toMatchObject({
      word: 'unsupported',
    });
  });
});

describe('xmind', () => {
  it('[finding F6] reads the json kind, names of sheets too', async () => {
    expect(await decode(xmindJson(), { kind: 'xmind' })).toEqual({
      title: '中心主题',
      text: '画布 1\n\n中心主题\n\n分支一\n备注文字\n标签\n\n叶子\n深处的词\n\nBranch two',
      headings: [
        { level: 1, text: '中心主题', offset: 6 },
        { level: 2, text: '分支一', offset: 12 },
        { level: 3, text: '叶子', offset: 25 },
        { level: 2, text: 'Branch two', offset: 34 },
      ],
      pages: [{ label: '画布 1', offset: 0 }],
      meta: { format: 'xmind', sheets: 1 },
    });
  });

  it('[finding F6] reads the xml kind, names of sheets too', async () => {
    const decoded = await decode(xmindXml(), { kind: 'xmind' });
    expect(decoded.title).toBe('中心主题');
    expect(decoded.text).toBe('画布 1\n\n中心主题\n\n分支 <一>\n备注文字\n\nBranch two');
  });

  it('says that an encrypted map must be saved without its password', async () => {
    const bytes = zip({
      'content.json': 'ciphertext',
      'manifest.json': '{"file-entries":{"content.json":{"encryption-data":{}}}}',
    });
    await expect(decode(bytes, { kind: 'xmind', password: 'x' })).rejects.toMatchObject({ word: 'encrypted' });
  });
});
