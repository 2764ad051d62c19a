import { strToU8, zipSync } from 'fflate';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type Parts = Record<string, string | Uint8Array>;
export type Relation = readonly [id: string, kind: string, target: string, mode?: 'External'];

export function relationships(...relations: Relation[]): string {
  const items = relations.map(
    ([id, kind, target, mode]) =>
      `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"${mode === undefined ? '' : ` TargetMode="${mode}"`}/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

/**
 * Returns the files of an .xlsx archive, by path. `sheets` contains, by sheet name, the full XML of the sheet or only
 * the content of its `sheetData`. `more` are additional relationships of the workbook.
 */
export function workbookParts(sheets: Record<string, string>, more: Relation[] = []): Parts {
  const names = Object.keys(sheets);
  const parts: Parts = {
    '_rels/.rels': relationships(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml':
      `<workbook xmlns:r="${office}"><sheets>` +
      `${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}` +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationships(
      ...names.map((_, i): Relation => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`]),
      ...more,
    ),
  };
  Object.values(sheets).forEach((text, i) => {
    parts[`xl/worksheets/sheet${i + 1}.xml`] =
      text.includes('<sheetData') || text.includes('worksheet')
        ? text
        : `<worksheet><sheetData>${text}</sheetData></worksheet>`;
  });
  return parts;
}

export function zipped(parts: Parts): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, data]) => [name, typeof data === 'string' ? strToU8(data) : data]),
    ),
  );
}
