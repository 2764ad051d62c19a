import { parseXml, childrenNamed, printXml, type XmlElement } from './xml-tree.ts';
import { mainNamespace, xmlDeclaration } from './xml-escape.ts';

/**
 * Metadata part (file in the XLSX package) for exports without an imported one. Its only entry marks a cell's formula
 * as a dynamic array.
 */
const dynamicArrays =
  `<metadata xmlns="${mainNamespace}" ` +
  'xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">' +
  '<metadataTypes count="1">' +
  '<metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" pasteAll="1" pasteValues="1" ' +
  'merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" coerce="1" ' +
  'cellMeta="1"/></metadataTypes><futureMetadata name="XLDAPR" count="1"><bk><extLst>' +
  '<ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}">' +
  '<xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext></extLst></bk></futureMetadata>' +
  '<cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>';

export interface CellMetadata {
  readonly xml: string;
  /** Number of the cell metadata entry (attribute `cm`) that marks a formula as a dynamic array. */
  readonly dynamic: number;
}

/** Order that the file format prescribes for the elements of a metadata part. */
const elementOrder = [
  'metadataTypes',
  'metadataStrings',
  'mdxMetadata',
  'futureMetadata',
  'cellMetadata',
  'valueMetadata',
];

/**
 * Returns the metadata part of the export. It is the imported part, which describes rich values in cells, with an entry
 * for dynamic arrays added if missing. Without an imported part, it has only that entry.
 */
export function cellMetadata(imported: string | undefined): CellMetadata {
  const own = parseXml(dynamicArrays, 'metadata')!;
  const root = imported === undefined ? undefined : parseXml(imported, 'metadata');
  if (!root) return { xml: xmlDeclaration + dynamicArrays, dynamic: 1 };
  const listed = (one: XmlElement, list: string, item: string): XmlElement[] =>
    childrenNamed(one, list).flatMap((found) => childrenNamed(found, item));
  const types = listed(root, 'metadataTypes', 'metadataType');
  const type = types.findIndex(({ attributes }) => attributes.get('name') === 'XLDAPR') + 1;
  const marks = listed(root, 'cellMetadata', 'bk');
  const known = marks.findIndex((one) =>
    childrenNamed(one, 'rc').some(({ attributes }) => Number(attributes.get('t')) === type),
  );
  if (type > 0 && known >= 0) return { xml: xmlDeclaration + printXml(root, ''), dynamic: known + 1 };
  const mark = own.children.at(-1) as XmlElement;
  const rc = { ...listed(own, 'cellMetadata', 'bk')[0]!, children: [...(mark.children[0] as XmlElement).children] };
  (rc.children[0] as XmlElement).attributes.set('t', String(types.length + 1));
  const additions: Readonly<Record<string, readonly XmlElement[]>> = {
    metadataTypes: listed(own, 'metadataTypes', 'metadataType'),
    cellMetadata: [rc],
  };
  const children = elementOrder.flatMap((name) => {
    const found = childrenNamed(root, name);
    if (name === 'futureMetadata') return [...found, ...childrenNamed(own, name)];
    const added = additions[name] ?? [];
    if (added.length === 0) return found;
    const base = found[0] ?? childrenNamed(own, name)[0]!;
    const all = [...(found[0]?.children ?? []), ...added];
    return [{ ...base, attributes: new Map(base.attributes).set('count', String(all.length)), children: all }];
  });
  return { xml: xmlDeclaration + printXml({ ...root, children }, ''), dynamic: marks.length + 1 };
}
