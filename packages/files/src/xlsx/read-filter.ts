import type { XmlReader } from '../xml/xml-reader.ts';
import type { FilterColumn } from '@sheaf/engine/internal/document';
import { parseRect, type Rect } from '@sheaf/engine';
import {
  readElementContent,
  childrenNamed,
  localNameOf,
  printXml,
  type NamespaceScope,
  type XmlElement,
} from './xml-tree.ts';
import { isTrue } from '../containers/package-parts.ts';
import { mainNamespace } from './xml-escape.ts';

export interface ParsedFilter {
  readonly rect: Rect;
  readonly columns: FilterColumn[];
  /** The last sort order applied to the filtered rows. */
  readonly sort?: XmlElement;
  readonly element: XmlElement;
}

/**
 * XML elements of filter conditions that documents do not support. Such a condition is imported as the list of the
 * values that it leaves visible.
 */
const conditions = new Set(['customFilters', 'dynamicFilter', 'top10', 'colorFilter', 'iconFilter', 'extLst']);

/** Reads the filter element just opened, including its closing tag. Returns undefined if the filter has no range. */
export function readFilter(
  reader: XmlReader,
  scope: NamespaceScope,
  formats: readonly string[] = [],
): ParsedFilter | undefined {
  const element = readElementContent(reader, scope);
  const rect = parseRect(element.attributes.get('ref') ?? '');
  if (!rect) return undefined;
  const columns = childrenNamed(element, 'filterColumn').flatMap((one): ParsedFilter['columns'] => {
    const col = rect.left + Number(one.attributes.get('colId') ?? 0);
    if (!(col <= rect.right)) return [];
    const inside = one.children.filter((child): child is XmlElement => typeof child !== 'string');
    const [list] = childrenNamed(one, 'filters');
    const dates = list && childrenNamed(list, 'dateGroupItem').length > 0;
    const isRule = dates || inside.some((child) => conditions.has(localNameOf(child.tag)));
    if (isRule) {
      // Drop a condition with a `dxfId` index, such as a filter by color, because the index is valid only in this file.
      // The filter is then imported as the list of the values that the condition leaves visible.
      const named = inside.some((child) => formats[Number(child.attributes.get('dxfId') ?? -1)] !== undefined);
      const rule = named ? undefined : inside.map((child) => printXml(child, mainNamespace)).join('');
      return [{ col, visible: [], rule: rule ?? '' }];
    }
    if (!list) return [];
    const visible = childrenNamed(list, 'filter').map((child) => child.attributes.get('val') ?? '');
    if (isTrue(list.attributes.get('blank'))) visible.push('');
    return visible.length > 0 ? [{ col, visible }] : [];
  });
  const [sort] = childrenNamed(element, 'sortState');
  return { rect, columns, element, ...(sort ? { sort } : {}) };
}
