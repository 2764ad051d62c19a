import { zipSync } from 'fflate';
import { utf8 } from './bytes.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type Parts = Record<string, string | Uint8Array>;

export function zip(parts: Parts): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, data]) => [name, typeof data === 'string' ? utf8(data) : data]),
    ),
  );
}

export function relations(...entries: Array<[id: string, type: string, target: string]>): string {
  return (
    `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
    `${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join('')}` +
    '</Relationships>'
  );
}

function contentTypes(...overrides: Array<[part: string, type: string]>): string {
  return (
    `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `${overrides.map(([part, type]) => `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`).join('')}` +
    '</Types>'
  );
}

export const core = (title: string, author: string): string =>
  `${head}<cp:coreProperties ` +
  'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
  `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:creator>` +
  `${author}</dc:creator></cp:coreProperties>`;

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export const wordParagraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const wordNamespace = W;
export const drawingNamespaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';

export function docxParts(body: string): Parts {
  return {
    '[Content_Types].xml': contentTypes(
      ['/word/document.xml', 'wordprocessingml.document.main'],
      ['/word/styles.xml', 'wordprocessingml.styles'],
    ),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'word/document.xml']),
    'word/_rels/document.xml.rels': relations(['rId1', 'styles', 'styles.xml']),
    'word/styles.xml':
      `${head}<w:styles ${W}>` +
      `${[1, 2].map((level) => `<w:style w:type="paragraph" w:styleId="${level}"><w:name w:val="heading ${level}"/></w:style>`).join('')}` +
      '</w:styles>',
    'word/document.xml': `${head}<w:document ${W}><w:body>${body}</w:body></w:document>`,
    'docProps/core.xml': core('季度报告', '李雷'),
  };
}

export function docx(
  body = wordParagraph('第一章 概述', '1') +
    wordParagraph('知识库的正文在这里。') +
    wordParagraph('Second part', '2') +
    wordParagraph('Plain words &amp; more.'),
): Uint8Array {
  return zip(docxParts(body));
}

const A =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

export interface SlideSource {
  title: string;
  lines: string[];
  notes?: string;
  table?: string[][];
}

function shape(text: string[], placeholder?: string): string {
  return (
    `<p:sp><p:nvSpPr><p:nvPr>${placeholder === undefined ? '' : `<p:ph type="${placeholder}"/>`}</p:nvPr>` +
    '</p:nvSpPr><p:txBody>' +
    `${text.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`
  );
}

export function pptxParts(slides: SlideSource[]): Parts {
  const parts: Parts = {
    '[Content_Types].xml': contentTypes(['/ppt/presentation.xml', 'presentationml.presentation.main']),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml':
      `${head}<p:presentation ${A}><p:sldIdLst>` +
      `${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${slides.length - index}"/>`).join('')}` +
      '</p:sldIdLst></p:presentation>',
    // Number the slides in reverse, as in a file in which a user has moved slides.
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, index): [string, string, string] => [
        `rId${slides.length - index}`,
        'slide',
        `slides/slide${slides.length - index}.xml`,
      ]),
    ),
  };
  slides.forEach((slide, index) => {
    const number = slides.length - index;
    const tableCell = (text: string): string =>
      `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const tableRows = slide.table?.map((row) => `<a:tr>${row.map(tableCell).join('')}</a:tr>`);
    const table = tableRows ? `<p:graphicFrame><a:tbl>${tableRows.join('')}</a:tbl></p:graphicFrame>` : '';
    parts[`ppt/slides/slide${number}.xml`] =
      `${head}<p:sld ${A}><p:cSld><p:spTree>${shape([slide.title], 'title')}${shape(slide.lines)}${shape(['7'], 'sldNum')}${table}</p:spTree></p:cSld></p:sld>`;
    if (slide.notes === undefined) return;
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations([
      'rId1',
      'notesSlide',
      `../notesSlides/notesSlide${number}.xml`,
    ]);
    parts[`ppt/notesSlides/notesSlide${number}.xml`] =
      `${head}<p:notes ${A}><p:cSld><p:spTree>${shape([slide.notes], 'body')}</p:spTree></p:cSld></p:notes>`;
  });
  return parts;
}

export const pptx = (): Uint8Array =>
  zip(
    pptxParts([
      {
        title: '路线图',
        lines: ['第一季度：搜索', 'Second line'],
        notes: '讲者备注',
        table: [
          ['甲', '乙'],
          ['1', '2'],
        ],
      },
      { title: 'Second slide', lines: ['The end'] },
    ]),
  );

const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

export function xlsxParts(sheetData: string, dimension = ''): Parts {
  return {
    '[Content_Types].xml': contentTypes(
      ['/xl/workbook.xml', 'spreadsheetml.sheet.main'],
      ['/xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet'],
    ),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `${head}<workbook ${S} xmlns:r="${office}"><sheets><sheet name="销售" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(['rId1', 'worksheet', 'worksheets/sheet1.xml']),
    'xl/worksheets/sheet1.xml': `${head}<worksheet ${S}>${dimension}<sheetData>${sheetData}</sheetData></worksheet>`,
  };
}

export const inlineCell = (ref: string, text: string): string =>
  `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;

export const xlsx = (): Uint8Array =>
  zip(
    xlsxParts(
      `<row r="1">${inlineCell('A1', '城市')}${inlineCell('B1', 'Amount')}</row><row r="3">${inlineCell('A3', '北京')}<c r="B3"><v>42.5</v></c></row>`,
    ),
  );

const topic = (title: string, children: object[] = [], extra: object = {}): object => ({
  title,
  ...extra,
  ...(children.length === 0 ? {} : { children: { attached: children } }),
});

export const xmindJson = (): Uint8Array =>
  zip({
    'content.json': JSON.stringify([
      {
        title: '画布 1',
        rootTopic: topic('中心主题', [
          topic('分支一', [topic('叶子', [topic('深处的词')])], {
            notes: { plain: { content: '备注文字' } },
            labels: ['标签'],
          }),
          topic('Branch two'),
        ]),
      },
    ]),
    'metadata.json': '{}',
    'manifest.json': '{"file-entries":{"content.json":{}}}',
  });

export const xmindXml = (): Uint8Array =>
  zip({
    'content.xml':
      `${head}<xmap-content xmlns="urn:xmind:xmap:xmlns:content:2.0"><sheet id="s1"><topic id="t1"><title>` +
      '中心主题</title><children><topics type="attached"><topic id="t2"><title>分支 &lt;一&gt;</title><notes>' +
      '<plain>备注文字</plain></notes></topic><topic id="t3"><title>Branch two</title></topic></topics>' +
      '</children></topic><title>画布 1</title></sheet></xmap-content>',
    'META-INF/manifest.xml': `${head}<manifest/>`,
  });
