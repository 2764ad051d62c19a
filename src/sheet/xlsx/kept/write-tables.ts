import { type Carried, type Filter, rectOf, type SheetDocument, type SubSheet } from '../../engine/document.ts';
import { rectName, type Rect } from '../../engine/index.ts';
import { Relations } from '../relations.ts';
import { filterXml } from '../write-sheet.ts';
import { head, main, xmlEscape } from '../xml-text.ts';
import type { KeptWriter, PartSink } from './write-kept.ts';

/** The filter of a table: it begins where the table does and ends before its totals. */
export function filterOf(sub: SubSheet, table: Carried): Filter | undefined {
  const region = table.regions?.[0];
  return (
    region &&
    sub.filters.find(
      ({ region: own }) => own[0] === region[0] && own[1] === region[1] && own[3] === region[3] && own[2] <= region[2],
    )
  );
}

/** A table as its part; returns what the part is called. Names are told by `nameFor`, which gives each only once. */
export function writeTable(
  document: SheetDocument,
  sub: SubSheet,
  table: Carried,
  number: number,
  nameFor: (wanted: string) => string,
  sink: PartSink,
  kept: KeptWriter,
): string | undefined {
  const text = kept.text(table);
  const region = table.regions?.[0];
  if (!text || !region) return undefined;
  const [attributes = '', wanted = 'Table'] = text.pieces ?? [];
  const rect = rectOf(region);
  const name = nameFor(wanted);
  const hasHeadings = !/ headerRowCount="0"/.test(attributes);
  const filter = filterOf(sub, table);
  const columns = columnsOf(document, sub, table, rect, hasHeadings, kept);
  const part = `xl/tables/table${number}.xml`;
  sink.zip.add(
    part,
    `${head}<table xmlns="${main}" id="${number}" name="${xmlEscape(name)}" displayName="${xmlEscape(name)}" ` +
      `ref="${rectName(rect)}"${attributes}>${filter && hasHeadings ? filterXml(filter) : ''}` +
      `<tableColumns count="${columns.length}">${columns.join('')}</tableColumns>${text.xml}</table>`,
  );
  sink.contents.add(part, 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml');
  const relations = new Relations();
  for (const relation of text.relations ?? []) kept.relate(relation, relations);
  kept.relationsOf(part, relations);
  return `../tables/table${number}.xml`;
}

/** Headings are what the cells say: a program refuses a table whose columns are called otherwise. */
function columnsOf(
  document: SheetDocument,
  sub: SubSheet,
  table: Carried,
  rect: Rect,
  hasHeadings: boolean,
  kept: KeptWriter,
): string[] {
  const known = new Map<number, Carried>();
  for (const one of sub.carried) {
    const region = one.regions?.[0];
    if (one.kind === 'tableColumn' && region && kept.text(one)?.pieces?.[2] === kept.text(table)?.pieces?.[1])
      known.set(region[1], one);
  }
  const taken = new Set<string>();
  return Array.from({ length: rect.right - rect.left + 1 }, (_, i) => {
    const column = known.get(rect.left + i);
    const text = column && kept.text(column);
    const told = text?.pieces?.[1] ?? '';
    const shown = hasHeadings ? document.text(sub, rect.top, rect.left + i) : '';
    // Line breaks of a heading are written as escapes in the name.
    const said = shown.trim() === plainName(told).trim() ? told : shown.replaceAll('\n', '_x000a_');
    const name = onlyOnce(said || told || `Column${i + 1}`, taken);
    return `<tableColumn id="${i + 1}" name="${xmlEscape(name)}"${text?.pieces?.[0] ?? ''}${text?.xml ? `>${text.xml}</tableColumn>` : '/>'}`;
  });
}

function plainName(name: string): string {
  return name.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function onlyOnce(name: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const own = number === 1 ? name : `${name}${number}`;
    if (taken.has(own.toUpperCase())) continue;
    taken.add(own.toUpperCase());
    return own;
  }
}
