import type { ZipArchive } from '../zip/reader.ts';
import {
  type SheetDocument,
  edit,
  type Aggregation,
  type KeptText,
  type PivotTable,
  rectOf,
  regionOf,
  sameRect,
  type Region,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { parseRect, cellErrors, type Rect, type Scalar, type RecalcOptions } from '@sheaf/engine';
import { clearContents, putPivot } from '@sheaf/engine/internal/mutations';
import { pivotItemKey } from './pivot-item-key.ts';
import { eachElement, isTrue, partText, readRelationships } from '../containers/package-parts.ts';
import { uniqueName } from './unique-name.ts';

const aggregations: Readonly<Record<string, Aggregation>> = {
  sum: 'SUM',
  count: 'COUNT',
  average: 'AVERAGE',
  max: 'MAX',
  min: 'MIN',
  product: 'PRODUCT',
  countNums: 'COUNTNUMS',
  stdDev: 'STDEV',
  stdDevp: 'STDEVP',
  var: 'VAR',
  varp: 'VARP',
};
const maxFields = 1000;
const maxItems = 100_000;

/** Source range and fields of a pivot table, read from its pivot cache. */
interface Cache {
  sheet: string;
  ref: string;
  readonly fields: { readonly isComputed: boolean; readonly items: Scalar[] }[];
}

interface Table {
  name: string;
  ref: string;
  readonly fields: { readonly hidden: Set<number>; readonly order: number[] }[];
  readonly rows: number[];
  readonly cols: number[];
  readonly pages: { readonly field: number; readonly item: number | undefined }[];
  readonly values: { readonly field: number; readonly subtotal: string }[];
}

/**
 * Imports a pivot table and removes the cell values that the file stores for its output. Returns the texts of those
 * output cells that the engine computes differently, with positions relative to the first cell. If the engine cannot
 * compute the pivot table, or its output has another size or other numbers than in the file, the values stay and the
 * result is undefined.
 */
export function importPivot(
  archive: ZipArchive,
  part: string,
  document: SheetDocument,
  sub: SubSheet,
  id: string,
  options: RecalcOptions,
): NonNullable<KeptText['captions']> | undefined {
  const cachePart = [...readRelationships(archive, part).values()].find(
    (one) => one.kind === 'pivotCacheDefinition',
  )?.target;
  const cacheText = cachePart === undefined ? undefined : partText(archive, cachePart);
  if (cachePart === undefined || cacheText === undefined) return undefined;
  const cache = readCache(cacheText, cachePart);
  const table = readTable(partText(archive, part) ?? '', part);
  const location = parseRect(table.ref);
  const source = document.byName(cache.sheet);
  const from = parseRect(cache.ref);
  if (!location || !source || !from || from.top === from.bottom || from.right - from.left + 1 > cache.fields.length)
    return undefined;
  const used = [
    ...table.rows,
    ...table.cols,
    ...table.pages.map(({ field }) => field),
    ...table.values.map(({ field }) => field),
  ];
  const isKnown = used.every(
    (field) => field >= 0 && field <= from.right - from.left && !cache.fields[field]!.isComputed,
  );
  if (!isKnown || table.values.length === 0 || table.values.some(({ subtotal }) => !aggregations[subtotal]))
    return undefined;
  const pivot: PivotTable = {
    id,
    name: pivotName(document, table.name),
    sourceSheet: source.id,
    source: regionOf(from),
    sheet: sub.id,
    row: location.top,
    col: location.left,
    rowGroups: table.rows,
    columnGroups: table.cols,
    values: table.values.map(({ field, subtotal }) => ({ field, aggregation: aggregations[subtotal]! })),
    filters: filtersOf(document, source, regionOf(from), cache, table),
    calculated: [],
  };
  const before = valuesIn(document, sub, location);
  const { inverse } = edit(
    document,
    [clearContents.of({ sheet: sub.id, region: regionOf(location) }), putPivot.of({ pivot })],
    options,
  );
  const output = document.pivotOutputs.get(id);
  if (output?.blocked === false && sameRect(output.rect, location) && showsSame(document, sub, before))
    return before.flatMap(([row, col, value]) =>
      typeof value === 'string' && value !== document.value(sub, row, col)
        ? [[row - location.top, col - location.left, value] as const]
        : [],
    );
  edit(document, inverse, options);
  return undefined;
}

type CellValue = readonly [row: number, col: number, value: Scalar];

function valuesIn(document: SheetDocument, sub: SubSheet, { top, left, bottom, right }: Rect): CellValue[] {
  const found: CellValue[] = [];
  for (let col = left; col <= right; col++)
    for (let row = top; row <= Math.min(bottom, sub.sheet.lastRow); row++)
      found.push([row, col, document.value(sub, row, col)]);
  return found;
}

/**
 * Returns whether the recalculated pivot table has every number in the same cell as the imported file. The numbers must
 * not move, because formulas may refer to their cells. Texts may differ.
 */
function showsSame(document: SheetDocument, sub: SubSheet, before: readonly CellValue[]): boolean {
  return before.every(([row, col, value]) => {
    if (typeof value !== 'number') return true;
    const now = document.value(sub, row, col);
    return typeof now === 'number' && Math.abs(now - value) <= 1e-9 * Math.max(1, Math.abs(value));
  });
}

function pivotName(document: SheetDocument, given: string): string {
  const name = given.slice(0, 90) || 'PivotTable';
  return uniqueName(
    (number) => (number === 1 ? name : `${name} ${number}`),
    (found) => document.pivots.some((one) => one.name === found),
  );
}

/**
 * Returns the filters of a pivot table. A file lists the hidden items of a field; documents filter by displayed text,
 * so the items are converted to the list of visible texts.
 */
function filtersOf(
  document: SheetDocument,
  source: SubSheet,
  region: Region,
  cache: Cache,
  table: Table,
): PivotTable['filters'] {
  const { top, left, bottom } = rectOf(region);
  const filters: PivotTable['filters'][number][] = [];
  table.fields.forEach(({ hidden, order }, field) => {
    const page = table.pages.find((one) => one.field === field);
    if (hidden.size === 0 && page?.item === undefined) {
      if (page) filters.push({ field, visible: null });
      return;
    }
    const gone = page?.item === undefined ? hidden : new Set(order.filter((_, place) => place !== page.item));
    const keys = new Set([...gone].map((item) => pivotItemKey(cache.fields[field]?.items[item] ?? null)));
    const visible = new Set<string>();
    for (let row = top + 1; row <= Math.min(bottom, source.sheet.lastRow); row++) {
      if (!keys.has(pivotItemKey(source.sheet.read(row, left + field))))
        visible.add(document.text(source, row, left + field));
    }
    filters.push({ field, visible: [...visible] });
  });
  return filters;
}

function readCache(xml: string, part: string): Cache {
  const cache: Cache = { sheet: '', ref: '', fields: [] };
  eachElement(xml, part, {
    open({ name, attributes, path }) {
      if (name === 'worksheetSource') {
        cache.sheet = attributes.get('sheet') ?? '';
        cache.ref = attributes.get('ref') ?? '';
      } else if (name === 'cacheField' && cache.fields.length < maxFields)
        cache.fields.push({ isComputed: attributes.has('formula'), items: [] });
      else if (path.at(-1) === 'sharedItems') {
        const items = cache.fields.at(-1)?.items;
        if (items && items.length < maxItems) items.push(itemOf(name, attributes.get('v') ?? ''));
      }
    },
  });
  return cache;
}

function itemOf(kind: string, value: string): Scalar {
  if (kind === 'n') return Number(value);
  if (kind === 'b') return isTrue(value);
  if (kind === 'm') return null;
  return kind === 'e' ? (Object.values(cellErrors).find((one) => one.text === value) ?? value) : value;
}

function readTable(xml: string, part: string): Table {
  const table: Table = { name: '', ref: '', fields: [], rows: [], cols: [], pages: [], values: [] };
  const number = (text: string | undefined): number => Number(text ?? NaN);
  eachElement(xml, part, {
    open({ name, attributes, path }) {
      const inside = path.at(-1);
      if (name === 'pivotTableDefinition') table.name = attributes.get('name') ?? '';
      else if (name === 'location') table.ref = attributes.get('ref') ?? '';
      else if (name === 'pivotField' && table.fields.length < maxFields)
        table.fields.push({ hidden: new Set(), order: [] });
      else if (name === 'item' && inside === 'items' && attributes.has('x')) {
        const field = table.fields.at(-1);
        if (!field || field.order.length >= maxItems) return;
        field.order.push(number(attributes.get('x')));
        if (isTrue(attributes.get('h'))) field.hidden.add(number(attributes.get('x')));
      } else if (name === 'field' && (inside === 'rowFields' || inside === 'colFields')) {
        const field = number(attributes.get('x'));
        // In the row or column fields of a pivot table, index -2 stands for the list of value fields.
        if (field !== -2) (inside === 'rowFields' ? table.rows : table.cols).push(field);
      } else if (name === 'pageField')
        table.pages.push({
          field: number(attributes.get('fld')),
          item: attributes.has('item') ? number(attributes.get('item')) : undefined,
        });
      else if (name === 'dataField')
        table.values.push({ field: number(attributes.get('fld')), subtotal: attributes.get('subtotal') ?? 'sum' });
    },
  });
  return table;
}
