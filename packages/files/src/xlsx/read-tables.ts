import type { ZipArchive } from '../zip/reader.ts';
import { regionOf, type Table, type TableColumn, type TableStyle } from '@sheaf/engine/internal/document';
import { parseCell, parseRect } from '@sheaf/engine';
import { isTrue, partText, readRelationships, type Relationship } from '../containers/package-parts.ts';
import { unprefixedAttributesXml, mainNamespace } from './xml-escape.ts';
import type { PassthroughReader } from './passthrough/passthrough-reader.ts';
import { childrenNamed, localNameOf, parseXml, printXml, type XmlElement } from './xml-tree.ts';

/**
 * Attributes of a table that refer to differential formats by index. A changed table is written without them, because
 * the formats are exported with its cells.
 */
const formatAttributes =
  `dataDxfId headerRowDxfId totalsRowDxfId headerRowBorderDxfId tableBorderDxfId totalsRowBorderDxfId`.split(/\s+/);
const modeledAttributes = ['id', 'ref', 'name', 'displayName', 'headerRowCount', 'totalsRowCount', ...formatAttributes];
const modeledElements = new Set(['autoFilter', 'tableColumns', 'sortState', 'tableStyleInfo']);
/**
 * Column attributes that are not stored as imported XML: documents model them, the cells of the totals row determine
 * them, or they are indexes that are valid only in the imported file.
 */
const modeledColumnAttributes = [
  'id',
  'name',
  'queryTableFieldId',
  'totalsRowFunction',
  'totalsRowLabel',
  ...formatAttributes,
];
const modeledColumnElements = new Set(['calculatedColumnFormula', 'totalsRowFormula']);

/** Reads a table part. Returns undefined if the table has no range. */
export function readTable(
  archive: ZipArchive,
  { target }: Relationship,
  keeper: PassthroughReader,
  formats: readonly string[],
): Table | undefined {
  const xml = partText(archive, target);
  const root = xml === undefined ? undefined : parseXml(xml, target);
  const rect = root && parseRect(root.attributes.get('ref') ?? '');
  if (!root || !rect) return undefined;
  const restOf = (element: XmlElement, own: ReadonlySet<string>): string =>
    element.children
      .filter((one): one is XmlElement => typeof one !== 'string' && !own.has(localNameOf(one.tag)))
      .map((one) => printXml(one, mainNamespace))
      .join('');
  const keep = (
    element: XmlElement,
    attributes: readonly string[],
    elements: ReadonlySet<string>,
  ): number | undefined => {
    const pieces = [unprefixedAttributesXml(element.attributes, attributes)];
    const rest = restOf(element, elements);
    const relations =
      element === root
        ? [...readRelationships(archive, target).values()].flatMap((one) => keeper.relation(one) ?? [])
        : [];
    if (pieces[0] === '' && rest === '' && relations.length === 0) return undefined;
    return keeper.text({ xml: rest, pieces, ...(relations.length > 0 ? { relations } : {}) });
  };
  const kept = keep(root, modeledAttributes, modeledElements);
  const found = childrenNamed(root, 'tableColumns').flatMap((list) => childrenNamed(list, 'tableColumn'));
  const columns = Array.from({ length: rect.right - rect.left + 1 }, (_, i): TableColumn => {
    const column = found[i];
    const own = column && keep(column, modeledColumnAttributes, modeledColumnElements);
    const name = plainName(column?.attributes.get('name') ?? '');
    return { number: i + 1, name, ...(own === undefined ? {} : { kept: own }) };
  });
  const style = tableStyleOf(childrenNamed(root, 'tableStyleInfo')[0]);
  const number = keeper.tableNumber();
  const linked = [...readRelationships(archive, target).values()].flatMap((one) => keeper.relation(one) ?? []);
  const source = keeper.source(root, [rect.top, rect.left], formats, {
    path: target,
    ...(linked.length > 0 ? { linked } : {}),
  });
  return {
    id: `table_${number}`,
    number,
    name: keeper.tableName(nameOf(root)),
    regions: [regionOf(rect)],
    ...(root.attributes.get('headerRowCount') === '0' ? { headings: false as const } : {}),
    ...(Number(root.attributes.get('totalsRowCount') ?? 0) > 0 ? { totals: true as const } : {}),
    ...(style ? { style } : {}),
    columns,
    next: columns.length + 1,
    ...(kept === undefined ? {} : { kept }),
    ...(source === undefined ? {} : { source }),
  };
}

/** Returns the table's name with invalid characters replaced, because a malicious file may contain any text. */
function nameOf({ attributes }: XmlElement): string {
  const given = attributes.get('displayName') ?? attributes.get('name') ?? '';
  const name = given.replaceAll(/[^\p{L}\p{N}_.\\]/gu, '_').slice(0, 240);
  return /^[\p{L}_\\]/u.test(name) && !parseCell(name) && !/^[rc]$/i.test(name) ? name : `Table_${name}`;
}

/** Decodes `_xHHHH_`, the file's escape for line breaks and control characters in column headers. */
function plainName(name: string): string {
  return name.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export function tableStyleOf(info: XmlElement | undefined): TableStyle | undefined {
  if (!info) return undefined;
  const name = info.attributes.get('name');
  const has = (attribute: string): boolean => isTrue(info.attributes.get(attribute));
  return {
    ...(name ? { name } : {}),
    ...(has('showFirstColumn') ? { firstColumn: true } : {}),
    ...(has('showLastColumn') ? { lastColumn: true } : {}),
    ...(has('showRowStripes') ? { rowStripes: true } : {}),
    ...(has('showColumnStripes') ? { columnStripes: true } : {}),
  };
}
