import { cellName, columnName } from '@sheaf/engine';
import { RelationshipsWriter } from '../xlsx/relationships-writer.ts';
import {
  escapeCellText,
  mainNamespace,
  preserveSpace,
  relationshipsNamespace,
  xmlDeclaration,
  xmlEscape,
} from '../xlsx/xml-escape.ts';
import { ZipWriter } from '../zip/writer.ts';
import type {
  ExternalBook,
  ForeignCell,
  ForeignComment,
  ForeignLink,
  ForeignRow,
  ForeignSheet,
  ForeignValue,
  ForeignWorkbook,
} from './workbook-model.ts';

const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const namespaces = `xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}"`;

/** Writes a workbook converted from another format as an xlsx file, which the xlsx reader then imports. */
export function workbookToXlsx(workbook: ForeignWorkbook): Uint8Array {
  const zip = new ZipWriter(new Date(0));
  const overrides: string[] = [];
  const add = (part: string, type: string, xml: string): void => {
    overrides.push(`<Override PartName="/${part}" ContentType="${type}"/>`);
    zip.add(part, xml);
  };
  const relations = new RelationshipsWriter();
  const sheets = workbook.sheets.map((sheet, index) => {
    const part = `worksheets/sheet${index + 1}.xml`;
    overrides.push(`<Override PartName="/xl/${part}" ContentType="${contentType}.worksheet+xml"/>`);
    addSheet(zip, sheet, index + 1, overrides);
    return relations.add('worksheet', part);
  });
  const books = workbook.externalBooks.map((book, index) => {
    const part = `externalLinks/externalLink${index + 1}.xml`;
    const own = new RelationshipsWriter();
    const id = own.addExternal('externalLinkPath', book.target);
    add(`xl/${part}`, `${contentType}.externalLink+xml`, externalBookXml(book, id));
    zip.add(`xl/externalLinks/_rels/externalLink${index + 1}.xml.rels`, own.xml());
    return relations.add('externalLink', part);
  });
  add('xl/styles.xml', `${contentType}.styles+xml`, workbook.styles);
  relations.add('styles', 'styles.xml');
  if (workbook.theme !== undefined) {
    add('xl/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml', workbook.theme);
    relations.add('theme', 'theme/theme1.xml');
  }
  const strings = `<sst xmlns="${mainNamespace}">${workbook.sharedStrings.join('')}</sst>`;
  add('xl/sharedStrings.xml', `${contentType}.sharedStrings+xml`, xmlDeclaration + strings);
  relations.add('sharedStrings', 'sharedStrings.xml');
  add('xl/workbook.xml', `${contentType}.sheet.main+xml`, workbookXml(workbook, sheets, books));
  zip.add('xl/_rels/workbook.xml.rels', relations.xml());
  const root = new RelationshipsWriter();
  root.add('officeDocument', 'xl/workbook.xml');
  zip.add('_rels/.rels', root.xml());
  zip.add(
    '[Content_Types].xml',
    `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
      `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
  );
  return zip.finish();
}

function workbookXml(workbook: ForeignWorkbook, sheets: readonly string[], books: readonly string[]): string {
  const entries = workbook.sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${xmlEscape(name)}" sheetId="${index + 1}"${state === 'visible' ? '' : ` state="${state}"`} r:id="${sheets[index]}"/>`,
  );
  const names = workbook.names.map(
    ({ name, sheet, isHidden, formula }) =>
      `<definedName name="${xmlEscape(name)}"${sheet === undefined ? '' : ` localSheetId="${sheet}"`}` +
      `${isHidden ? ' hidden="1"' : ''}>${xmlEscape(formula)}</definedName>`,
  );
  const references = books.map((id) => `<externalReference r:id="${id}"/>`);
  return (
    `${xmlDeclaration}<workbook ${namespaces}>${workbook.date1904 ? '<workbookPr date1904="1"/>' : '<workbookPr/>'}` +
    `<bookViews><workbookView activeTab="${workbook.activeSheet}"/></bookViews><sheets>${entries.join('')}</sheets>` +
    (references.length === 0 ? '' : `<externalReferences>${references.join('')}</externalReferences>`) +
    (names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`) +
    (workbook.calculation === '' ? '' : `<calcPr${workbook.calculation}/>`) +
    '</workbook>'
  );
}

function addSheet(zip: ZipWriter, sheet: ForeignSheet, number: number, overrides: string[]): void {
  const relations = new RelationshipsWriter();
  const links = linksXml(sheet.links, relations);
  zip.begin(`xl/worksheets/sheet${number}.xml`);
  zip.push(`${xmlDeclaration}<worksheet ${namespaces}>${sheet.before}<sheetData>`);
  for (const row of [...sheet.rows.keys()].sort((one, other) => one - other))
    zip.push(rowXml(row, sheet.rows.get(row)!));
  zip.push(`</sheetData>${sheet.after}${links}${sheet.page}`);
  if (sheet.comments.length > 0) {
    relations.add('comments', `../comments${number}.xml`);
    const drawing = relations.add('vmlDrawing', `../drawings/vmlDrawing${number}.vml`);
    zip.push(`<legacyDrawing r:id="${drawing}"/>`);
  }
  zip.push('</worksheet>');
  zip.end();
  if (sheet.comments.length > 0) {
    overrides.push(`<Override PartName="/xl/comments${number}.xml" ContentType="${contentType}.comments+xml"/>`);
    zip.add(`xl/comments${number}.xml`, commentsXml(sheet.comments));
    zip.add(`xl/drawings/vmlDrawing${number}.vml`, noteBoxesXml(sheet.comments));
  }
  if (!relations.isEmpty) zip.add(`xl/worksheets/_rels/sheet${number}.xml.rels`, relations.xml());
}

function rowXml(row: number, { cells, attributes }: ForeignRow): string {
  const number = row + 1;
  let xml = `<row r="${number}"${attributes}>`;
  for (const cell of cells) xml += cellXml(cell, number);
  return `${xml}</row>`;
}

function cellXml({ col, format, value, formula, array, dataTable }: ForeignCell, row: number): string {
  const start = `<c r="${columnName(col)}${row}"${format === 0 ? '' : ` s="${format}"`}`;
  if (value === undefined && formula === undefined) return `${start}/>`;
  if (typeof value === 'string' && formula === undefined && dataTable === undefined)
    return `${start} t="inlineStr"><is><t${preserveSpace(value)}>${escapeCellText(value)}</t></is></c>`;
  const of =
    dataTable === undefined
      ? formula === undefined
        ? ''
        : `<f${array === undefined ? '' : ` t="array" ref="${array}"`}>${xmlEscape(formula)}</f>`
      : `<f t="dataTable" ${dataTable}/>`;
  const [type, text] = typedValue(value);
  return `${start}${type}>${of}${text}</c>`;
}

function typedValue(value: ForeignValue | undefined): [type: string, element: string] {
  if (value === undefined) return ['', ''];
  if (typeof value === 'number') return ['', `<v>${value}</v>`];
  if (typeof value === 'boolean') return [' t="b"', `<v>${value ? 1 : 0}</v>`];
  if (typeof value === 'string') return [' t="str"', `<v${preserveSpace(value)}>${escapeCellText(value)}</v>`];
  return 'error' in value ? [' t="e"', `<v>${value.error}</v>`] : [' t="s"', `<v>${value.shared}</v>`];
}

function linksXml(links: readonly ForeignLink[], relations: RelationshipsWriter): string {
  if (links.length === 0) return '';
  const attribute = (name: string, value: string | undefined): string =>
    value === undefined || value === '' ? '' : ` ${name}="${xmlEscape(value)}"`;
  const items = links.map(
    ({ ref, url, location, tooltip }) =>
      `<hyperlink ref="${ref}"${attribute('r:id', url === undefined ? undefined : relations.addExternal('hyperlink', url))}` +
      `${attribute('location', location)}${attribute('tooltip', tooltip)}/>`,
  );
  return `<hyperlinks>${items.join('')}</hyperlinks>`;
}

function commentsXml(comments: readonly ForeignComment[]): string {
  const authors = [...new Set(comments.map(({ author }) => author))];
  const numbers = new Map(authors.map((author, index) => [author, index]));
  const items = comments.map(
    ({ row, col, author, text }) =>
      `<comment ref="${cellName(row, col)}" authorId="${numbers.get(author)}"><text>${text}</text></comment>`,
  );
  return (
    `${xmlDeclaration}<comments xmlns="${mainNamespace}"><authors>` +
    `${authors.map((author) => `<author>${xmlEscape(author)}</author>`).join('')}</authors>` +
    `<commentList>${items.join('')}</commentList></comments>`
  );
}

/** Writes the boxes of notes at their default position beside the cell. Excel does not show a note without a box. */
function noteBoxesXml(comments: readonly ForeignComment[]): string {
  const shapes = comments.map(({ row, col, isVisible }, index) => {
    const top = Math.max(0, row - 1);
    const anchor = [col + 1, 15, top, 10, col + 3, 15, top + 4, 4].join(', ');
    return (
      `<v:shape id="_x0000_s${1025 + index}" type="#_x0000_t202" style="visibility:${isVisible ? 'visible' : 'hidden'}" ` +
      'fillcolor="#ffffe1" o:insetmode="auto"><v:textbox/><x:ClientData ObjectType="Note"><x:MoveWithCells/>' +
      `<x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row>` +
      `<x:Column>${col}</x:Column>${isVisible ? '<x:Visible/>' : ''}</x:ClientData></v:shape>`
    );
  });
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
    'xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202" coordsize="21600,21600" ' +
    'o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" ' +
    `o:connecttype="rect"/></v:shapetype>${shapes.join('')}</xml>`
  );
}

function externalBookXml({ sheets }: ExternalBook, relation: string): string {
  const names = sheets.map(({ name }) => `<sheetName val="${xmlEscape(name)}"/>`).join('');
  const data = sheets.map(({ rows }, index) => {
    if (rows === undefined) return '';
    const lines = [...rows].map(([row, cells]) => {
      const items = cells.map(({ col, value }) => {
        const [type, text] = typedValue(value);
        return `<cell r="${cellName(row, col)}"${type}>${text}</cell>`;
      });
      return `<row r="${row + 1}">${items.join('')}</row>`;
    });
    return `<sheetData sheetId="${index}">${lines.join('')}</sheetData>`;
  });
  return (
    `${xmlDeclaration}<externalLink ${namespaces}><externalBook r:id="${relation}">` +
    `<sheetNames>${names}</sheetNames><sheetDataSet>${data.join('')}</sheetDataSet></externalBook></externalLink>`
  );
}
