import type { ZipArchive } from '../../../formats/zip-guard.ts';
import { type Carried, regionOf } from '../../engine/document.ts';
import { parseRect } from '../../engine/index.ts';
import { partText, relationsOf, type Relation } from '../read-xml.ts';
import { main } from '../xml-text.ts';
import { attributesText, type Keeper } from './keeper.ts';
import { childrenNamed, localOf, parseXml, printXml, scopeOf, type XmlElement } from './xml-tree.ts';

/** The formats of its cells are in the cells; numbers of formats of the file mean nothing here. */
const formatNumbers = [
  'dataDxfId',
  'headerRowDxfId',
  'totalsRowDxfId',
  'headerRowBorderDxfId',
  'tableBorderDxfId',
  'totalsRowBorderDxfId',
];

/** A table of a sheet, and each of its columns for itself, since columns come and go. */
export function readTable(
  archive: ZipArchive,
  { target }: Relation,
  keeper: Keeper,
  put: (one: Carried) => void,
): void {
  const xml = partText(archive, target);
  const root = xml === undefined ? undefined : parseXml(xml, target);
  const rect = root && parseRect(root.attributes.get('ref') ?? '');
  if (!root || !rect) return;
  const scope = scopeOf(root);
  const print = (one: XmlElement): string => printXml(one, scope, main);
  const rest = root.children.filter(
    (one): one is XmlElement =>
      typeof one !== 'string' && !['autoFilter', 'tableColumns', 'sortState'].includes(localOf(one.tag)),
  );
  const relations = [...relationsOf(archive, target).values()].flatMap((one) => keeper.relation(one) ?? []);
  const displayName = root.attributes.get('displayName') ?? root.attributes.get('name') ?? 'Table';
  const table = keeper.text({
    xml: rest.map(print).join(''),
    pieces: [attributesText(root.attributes, ['id', 'ref', 'name', 'displayName', ...formatNumbers]), displayName],
    ...(relations.length > 0 ? { relations } : {}),
  });
  if (table === undefined) return;
  put({ kind: 'table', text: table, regions: [regionOf(rect)] });
  const columns = childrenNamed(root, 'tableColumns').flatMap((list) => childrenNamed(list, 'tableColumn'));
  columns.slice(0, rect.right - rect.left + 1).forEach((column, i) => {
    const name = column.attributes.get('name') ?? '';
    const text = keeper.text({
      xml: column.children.map((one) => (typeof one === 'string' ? '' : print(one))).join(''),
      pieces: [
        attributesText(column.attributes, ['id', 'name', 'queryTableFieldId', ...formatNumbers]),
        name,
        displayName,
      ],
    });
    if (text !== undefined)
      put({ kind: 'tableColumn', text, regions: [regionOf({ ...rect, left: rect.left + i, right: rect.left + i })] });
  });
}
