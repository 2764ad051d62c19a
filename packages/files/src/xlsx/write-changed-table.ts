import { type Filter, rectOf, type Table } from '@sheaf/engine/internal/document';
import { parseRect, rectName, type Rect } from '@sheaf/engine';
import { tableStyleOf } from './read-tables.ts';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { criteriaFingerprint, filterXml, withRange } from './write-filter.ts';
import { fingerprint } from './passthrough/fingerprint.ts';
import { mainNamespace, xmlEscape } from './xml-escape.ts';
import { childrenNamed, localNameOf, parseXml, printXml, type XmlElement } from './xml-tree.ts';

/** Parts of a table column's XML that are generated from the document. */
export interface ColumnParts {
  /** Column name with special characters escaped for XML. */
  readonly name: string;
  readonly totals: { readonly attributes: string; readonly inside?: string } | undefined;
  /** XML element of the formula that fills new rows, or an empty string. */
  readonly computed: string;
}

export function partFingerprints({ name, totals, computed: formula }: ColumnParts): string[] {
  return [fingerprint(name), fingerprint(totals ?? null), fingerprint(formula)];
}

export function styleXml({ style }: Table): string {
  if (!style) return '';
  const name = style.name === undefined ? '' : ` name="${xmlEscape(style.name)}"`;
  const shows = (attribute: string, isShown: true | undefined): string => ` ${attribute}="${isShown ? 1 : 0}"`;
  return (
    `<tableStyleInfo${name}${shows('showFirstColumn', style.firstColumn)}${shows('showLastColumn', style.lastColumn)}` +
    `${shows('showRowStripes', style.rowStripes)}${shows('showColumnStripes', style.columnStripes)}/>`
  );
}

/**
 * Attributes of a column that the export derives from the totals row's cells. They are not copied from the imported
 * XML.
 */
const totalsAttributes = ['totalsRowFunction', 'totalsRowLabel'];

/**
 * Returns the XML of a table that changed since the import. Attributes, filter, sort order, columns and style that did
 * not change are taken from the imported XML. Returns undefined if that XML was not stored.
 */
export function changedTableXml(
  table: Table,
  parts: readonly ColumnParts[],
  filter: Filter | undefined,
  number: number,
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
): string | undefined {
  const rect = rectOf(table.regions[0]!);
  const imported = kept.changed(table.source, [rect.top, rect.left], relations, number);
  if (!imported) return undefined;
  const { element, reads } = imported;
  const [criteriaRead, ...columnReads] = reads;
  const columns = changedColumns(table, parts, element, columnReads);
  const rows = { top: rect.top + (table.headings === false ? 0 : 1), bottom: rect.bottom - (table.totals ? 1 : 0) };
  const shown = table.headings === false ? undefined : filter;
  const children = element.children.flatMap((one): (XmlElement | string)[] => {
    if (typeof one === 'string') return [];
    switch (localNameOf(one.tag)) {
      case 'autoFilter':
        if (!shown) return [];
        return [criteriaFingerprint(shown) === criteriaRead ? withRange(one, shown) : parsed(filterXml(shown))];
      case 'sortState':
        return changedSort(one, table, { ...rect, ...rows }, rect.left);
      case 'tableColumns': {
        const attributes = new Map(one.attributes).set('count', String(columns.length));
        return [{ ...one, attributes, children: columns }, ...missing(element, 'tableStyleInfo', styleXml(table))];
      }
      case 'tableStyleInfo':
        return JSON.stringify(tableStyleOf(one)) === JSON.stringify(table.style)
          ? [one]
          : table.style
            ? [parsed(styleXml(table))]
            : [];
      default:
        return [one];
    }
  });
  const attributes = new Map(element.attributes).set('ref', rectName(rect));
  if (attributes.get('displayName') !== table.name) attributes.set('name', table.name).set('displayName', table.name);
  setCount(attributes, 'headerRowCount', table.headings !== false, '1');
  setCount(attributes, 'totalsRowCount', table.totals === true, '0');
  const added = missing(element, 'autoFilter', shown ? filterXml(shown) : '');
  return printXml({ ...element, attributes, children: [...added, ...children] }, '');
}

/**
 * Returns a list with the element `name` parsed from `xml`, to be added to the imported table. The list is empty if
 * `xml` is empty or the table already has such an element.
 */
function missing(table: XmlElement, name: string, xml: string): XmlElement[] {
  return xml === '' || childrenNamed(table, name).length > 0 ? [] : [parsed(xml)];
}

/**
 * Sets a count attribute that is 0 or 1, such as `headerRowCount`, unless it already has an equivalent value. `usual`
 * is its default.
 */
function setCount(attributes: Map<string, string>, name: string, hasRow: boolean, usual: string): void {
  if (Number(attributes.get(name) ?? usual) > 0 !== hasRow) attributes.set(name, hasRow ? '1' : '0');
}

function parsed(xml: string): XmlElement {
  return parseXml(xml.replace(/^<\w+/, `$& xmlns="${mainNamespace}"`), 'a table')!;
}

function changedColumns(
  table: Table,
  parts: readonly ColumnParts[],
  element: XmlElement,
  reads: readonly string[],
): XmlElement[] {
  const imported = childrenNamed(element, 'tableColumns').flatMap((list) => childrenNamed(list, 'tableColumn'));
  let last = Math.max(0, ...imported.map(({ attributes }) => Number(attributes.get('id')) || 0));
  return table.columns.map((column, i) => {
    const { name, totals, computed } = parts[i]!;
    const own = imported[column.number - 1];
    if (!own)
      return parsed(
        `<tableColumn id="${++last}" name="${name}"${totals?.attributes ?? ''}>${computed}${totals?.inside ?? ''}</tableColumn>`,
      );
    const [nameRead, totalsRead, computedRead] = reads.slice((column.number - 1) * 3);
    const [nameNow, totalsNow, computedNow] = partFingerprints(parts[i]!);
    const said = parsed(`<c name="${name}"${totals?.attributes ?? ''}>${computed}${totals?.inside ?? ''}</c>`);
    const attributes = new Map(own.attributes);
    if (nameNow !== nameRead) attributes.set('name', said.attributes.get('name')!);
    if (totalsNow !== totalsRead)
      for (const one of totalsAttributes) {
        const value = said.attributes.get(one);
        if (value === undefined) attributes.delete(one);
        else attributes.set(one, value);
      }
    const chosen = (tag: string, isRead: boolean): XmlElement[] => childrenNamed(isRead ? own : said, tag);
    const rest = own.children.filter(
      (one) => typeof one !== 'string' && !/^(?:calculatedColumnFormula|totalsRowFormula)$/.test(localNameOf(one.tag)),
    );
    const children = [
      ...chosen('calculatedColumnFormula', computedNow === computedRead),
      ...chosen('totalsRowFormula', totalsNow === totalsRead),
      ...rest,
    ];
    return { ...own, attributes, children };
  });
}

/**
 * Returns the sort order of a table, adjusted to its current rows and columns, or an empty list if a sort column was
 * deleted. `left` is the column of the sheet where the table starts in the ranges that `sort` contains.
 */
function changedSort(sort: XmlElement, table: Table, rows: Rect, left: number): XmlElement[] {
  const conditions = sort.children.map((one) => {
    const place = typeof one === 'string' ? undefined : parseRect(one.attributes.get('ref') ?? '');
    if (typeof one === 'string' || !place) return one;
    const index = table.columns.findIndex((column) => column.number === place.left - left + 1);
    if (index < 0) return undefined;
    const col = rows.left + index;
    return { ...one, attributes: new Map(one.attributes).set('ref', rectName({ ...rows, left: col, right: col })) };
  });
  if (conditions.includes(undefined)) return [];
  const children = conditions.filter((one) => one !== undefined);
  return [{ ...sort, attributes: new Map(sort.attributes).set('ref', rectName(rows)), children }];
}
