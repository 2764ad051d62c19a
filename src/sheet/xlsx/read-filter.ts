import { damaged } from '../../formats/format-error.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../../formats/xml-reader.ts';
import type { FilterColumn } from '../engine/document.ts';
import { parseRect, type Rect } from '../engine/index.ts';
import { isOn } from './read-xml.ts';

export interface FoundFilter {
  readonly rect: Rect;
  readonly columns: FilterColumn[];
}

const unknownKinds = new Set(['customFilters', 'dynamicFilter', 'top10', 'colorFilter', 'iconFilter', 'dateGroupItem']);

/** The filter just opened, up to its end; undefined when it names no range. */
export function readFilter(reader: XmlReader, warnings: Set<string>): FoundFilter | undefined {
  const rect = parseRect(reader.attribute('ref') ?? '');
  const outside = reader.depth - 1;
  const columns: FilterColumn[] = [];
  let column: { col: number; visible: string[] } | undefined;
  for (;;) {
    const token = reader.next();
    if (token === endToken) throw damaged('a filter of it is truncated');
    if (token === closeToken && reader.depth === outside) break;
    if (token === closeToken && reader.name === 'filterColumn') {
      if (column && rect && column.col <= rect.right && column.visible.length > 0) columns.push(column);
      column = undefined;
    }
    if (token !== openToken) continue;
    const { name } = reader;
    if (name === 'filterColumn')
      column = { col: (rect?.left ?? 0) + Number(reader.attribute('colId') ?? 0), visible: [] };
    else if (name === 'filters' && isOn(reader.attribute('blank'))) column?.visible.push('');
    else if (name === 'filter') column?.visible.push(reader.attribute('val') ?? '');
    else if (unknownKinds.has(name)) {
      if (column) warnings.add('filters other than lists of values were left out; their rows stay hidden');
      column = undefined;
    }
  }
  return rect && { rect, columns };
}
