import { cellText, rowText } from './cell-text.ts';
import { damaged, FormatError } from '../format-error.ts';
import { coreProperties, readRelationships } from '../containers/office-container.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from '../decode-types.ts';
import { readRows } from './xlsx-rows.ts';
import { readDateStyles, readSharedStrings, type XlsxLookups } from './xlsx-strings-and-styles.ts';
import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import { XmlReader } from '../xml/xml-reader.ts';
import { BytesSource } from '../xml/xml-source.ts';
import type { ZipArchive } from '../zip/reader.ts';

export async function decodeXlsx(archive: ZipArchive, job: DecodeJob): Promise<Decoded> {
  const named = readRelationships(archive, '').find((relation) => relation.type.endsWith('/officeDocument'))?.target;
  const main = named !== undefined && archive.has(named) ? named : 'xl/workbook.xml';
  if (!archive.has(main)) throw damaged('it contains no workbook');
  const relations = readRelationships(archive, main);
  const { sheets, date1904 } = readWorkbook(archive, main);
  if (sheets.length === 0) throw damaged('it has no sheets');
  const open = (part: string): XmlReader => new XmlReader(new BytesSource(archive.read(part)), `The part "${part}"`);
  const partOf = (kind: string): XmlReader | undefined => {
    const part = relations.find((relation) => relation.type.endsWith(`/${kind}`))?.target;
    return part !== undefined && archive.has(part) ? open(part) : undefined;
  };
  const texts = partOf('sharedStrings');
  const styles = partOf('styles');
  const book: XlsxLookups = {
    texts: texts ? readSharedStrings(texts) : [],
    dateStyles: styles ? readDateStyles(styles) : [],
    date1904,
  };
  const out = new TextBuilder(job.limits.maxTextChars);
  let cells = 0;
  let rows = 0;
  for (const { name, relation } of sheets) {
    const target = relations.find(({ id }) => id === relation);
    out.page(name);
    out.heading(1, name);
    // Chart and dialog sheets have no cells.
    if (!target?.type.endsWith('/worksheet')) continue;
    readRows(open(target.target), target.target, book, {
      cell: () => {
        if (++cells > job.limits.maxCells)
          throw new FormatError(
            'too_large',
            `The workbook contains more than ${job.limits.maxCells} cells. Split it and upload the parts.`,
          );
      },
      row: (values) => {
        const text = rowText(values.map((value) => cellText(value)));
        if (text === '') return;
        rows++;
        out.line(text);
      },
    });
  }
  const { title, author } = coreProperties(archive);
  return out.done(title, { format: 'xlsx', sheets: sheets.length, rows, ...(author === undefined ? {} : { author }) });
}

interface SheetEntry {
  readonly name: string;
  /** Id of the relationship to the sheet's part. */
  readonly relation: string;
}

function readWorkbook(archive: ZipArchive, part: string): { sheets: SheetEntry[]; date1904: boolean } {
  const sheets: SheetEntry[] = [];
  let date1904 = false;
  scanXml(decodeXml(archive.read(part)), `The part "${part}"`, {
    open(tag, attributes) {
      const name = localName(tag);
      if (name === 'workbookPr') date1904 = ['1', 'true'].includes(attributes().get('date1904') ?? '');
      if (name !== 'sheet') return;
      const given = attributes();
      const relation = [...given].find(([key]) => localName(key) === 'id')?.[1];
      sheets.push({ name: given.get('name') ?? '', relation: relation ?? '' });
    },
  });
  return { sheets, date1904 };
}
