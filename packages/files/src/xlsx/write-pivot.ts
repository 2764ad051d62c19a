import {
  type SheetDocument,
  fieldNames,
  shapeOf,
  type Aggregation,
  type PivotTable,
  rectOf,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { fingerprint } from './passthrough/fingerprint.ts';
import { rectName, type Rect, compareScalars, CellError, type Scalar } from '@sheaf/engine';
import { pivotItemKey } from './pivot-item-key.ts';
import { xmlDeclaration, mainNamespace, relationshipsNamespace, xmlEscape } from './xml-escape.ts';

export interface PivotParts {
  readonly table: string;
  readonly cache: string;
}

const subtotals: Readonly<Record<Aggregation, string>> = {
  SUM: 'sum',
  COUNT: 'count',
  AVERAGE: 'average',
  MAX: 'max',
  MIN: 'min',
  PRODUCT: 'product',
  COUNTNUMS: 'countNums',
  STDEV: 'stdDev',
  STDEVP: 'stdDevp',
  VAR: 'var',
  VARP: 'varp',
};

interface Field {
  readonly name: string;
  /** Distinct values of the field in display order; set for fields that group or filter rows. */
  readonly items: readonly { readonly value: Scalar; readonly isHidden: boolean }[] | undefined;
  readonly axis: 'axisRow' | 'axisCol' | 'axisPage' | undefined;
}

/**
 * Returns the fingerprint of a pivot table, a hash by which the export detects changes. It covers the settings, the
 * source and the size of the output, but not the position.
 */
export function pivotFingerprint(document: SheetDocument, pivot: PivotTable): string {
  const { id, row: _, col: __, sheet: ___, words: ____, sourceSheet, ...rest } = pivot;
  const rect = document.pivotOutputs.get(id)?.rect;
  const size = rect && [rect.bottom - rect.top, rect.right - rect.left];
  return fingerprint([rest, document.find(sourceSheet)?.name, size]);
}

/**
 * Returns the XML parts of a pivot table, or undefined if it must be exported as plain values. Reasons include output
 * that is missing or not displayed, calculated fields, duplicate or empty field names, no aggregated values, too few
 * rows above it for its filter fields, and cells directly below it, because other programs may need one more row.
 */
export function pivotParts(document: SheetDocument, pivot: PivotTable, cacheId: number): PivotParts | undefined {
  const source = document.find(pivot.sourceSheet);
  const output = document.pivotOutputs.get(pivot.id);
  if (
    !pivot.source ||
    !source ||
    !output ||
    output.blocked ||
    output.hidden ||
    pivot.calculated.length > 0 ||
    pivot.values.length === 0
  )
    return undefined;
  const rect = rectOf(pivot.source);
  const names = fieldNames(document, source, rect.top, rect.left, rect.right);
  if (
    new Set(names.map((name) => name.toUpperCase())).size < names.length ||
    headings(source, rect.top, rect.left, rect.right).some((value) => value === null)
  )
    return undefined;
  const pages = pivot.filters
    .map(({ field }) => field)
    .filter((field) => !pivot.rowGroups.includes(field) && !pivot.columnGroups.includes(field));
  const isTwice =
    new Set([...pivot.rowGroups, ...pivot.columnGroups, ...pages]).size <
    pivot.rowGroups.length + pivot.columnGroups.length + pages.length;
  if (isTwice || (pages.length > 0 && output.rect.top < pages.length + 1)) return undefined;
  if (
    !isBlank(document.subSheet(output.sheet), {
      ...output.rect,
      top: output.rect.bottom + 1,
      bottom: output.rect.bottom + 1,
    })
  )
    return undefined;
  const fields = names.map((name, field): Field => {
    const axis = pivot.rowGroups.includes(field)
      ? 'axisRow'
      : pivot.columnGroups.includes(field)
        ? 'axisCol'
        : pages.includes(field)
          ? 'axisPage'
          : undefined;
    return { name, axis, items: axis && itemsOf(document, source, pivot, field) };
  });
  return {
    cache: cacheXml(source.name, rectName(rect), fields),
    table: tableXml(pivot, cacheId, rectName(output.rect), fields, pages),
  };
}

function isBlank(sub: SubSheet, { top, left, bottom, right }: Rect): boolean {
  let found = true;
  sub.sheet.eachFilled(top, left, bottom, right, () => {
    found = false;
    return false;
  });
  return found;
}

function headings(sub: SubSheet, row: number, left: number, right: number): Scalar[] {
  return Array.from({ length: right - left + 1 }, (_, i) => sub.sheet.read(row, left + i));
}

function itemsOf(
  document: SheetDocument,
  source: SubSheet,
  pivot: PivotTable,
  field: number,
): NonNullable<Field['items']> {
  const { top, bottom, left } = rectOf(pivot.source!);
  const visible = pivot.filters.find((one) => one.field === field)?.visible;
  const listed = visible && new Set(visible);
  const found = new Map<string, { value: Scalar; isHidden: boolean }>();
  for (let row = top + 1; row <= Math.min(bottom, source.sheet.lastRow); row++) {
    const value = source.sheet.read(row, left + field);
    const key = pivotItemKey(value);
    if (!found.has(key))
      found.set(key, { value, isHidden: listed ? !listed.has(document.text(source, row, left + field)) : false });
  }
  return [...found.values()].sort((a, b) => compareScalars(a.value, b.value));
}

function cacheXml(sheet: string, ref: string, fields: readonly Field[]): string {
  return (
    `${xmlDeclaration}<pivotCacheDefinition xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}" saveData="0" ` +
    'refreshOnLoad="1" refreshedBy="sheaf" createdVersion="6" refreshedVersion="6" ' +
    'minRefreshableVersion="3"><cacheSource type="worksheet">' +
    `<worksheetSource ref="${ref}" sheet="${xmlEscape(sheet)}"/></cacheSource>` +
    `<cacheFields count="${fields.length}">` +
    `${fields.map(({ name, items }) => `<cacheField name="${xmlEscape(name)}" numFmtId="0">${sharedItems(items)}</cacheField>`).join('')}` +
    '</cacheFields></pivotCacheDefinition>'
  );
}

function sharedItems(items: Field['items']): string {
  if (!items || items.length === 0) return '<sharedItems/>';
  const values = items.map(({ value }) => value);
  const numbers = values.filter((value) => typeof value === 'number');
  const hasText = values.some(
    (value) => typeof value === 'string' || typeof value === 'boolean' || value instanceof CellError,
  );
  const hasBlank = values.some((value) => value === null);
  const kinds = [
    hasText || hasBlank ? '' : ' containsSemiMixedTypes="0"',
    hasText ? '' : ' containsString="0"',
    hasText && numbers.length > 0 ? ' containsMixedTypes="1"' : '',
    hasBlank ? ' containsBlank="1"' : '',
    // Items are sorted and numbers come first, so the first and last number are the minimum and maximum.
    numbers.length > 0 ? ` containsNumber="1" minValue="${numbers[0]}" maxValue="${numbers.at(-1)}"` : '',
  ];
  return `<sharedItems${kinds.join('')} count="${values.length}">${values.map(itemXml).join('')}</sharedItems>`;
}

function itemXml(value: Scalar): string {
  if (value === null) return '<m/>';
  if (typeof value === 'number') return `<n v="${value}"/>`;
  if (typeof value === 'boolean') return `<b v="${value ? 1 : 0}"/>`;
  if (value instanceof CellError) return `<e v="${xmlEscape(value.text)}"/>`;
  return `<s v="${xmlEscape(value)}"/>`;
}

function tableXml(
  pivot: PivotTable,
  cacheId: number,
  ref: string,
  fields: readonly Field[],
  pages: readonly number[],
): string {
  const { labelCols, measures, isAcross } = shapeOf(pivot);
  const flat = 'compact="0" outline="0" showAll="0"';
  const pivotFields = fields.map(({ axis, items }, index) => {
    const isData = pivot.values.some(({ field }) => field === index) ? ' dataField="1"' : '';
    if (!axis || !items) return `<pivotField${isData} ${flat}/>`;
    const several = axis === 'axisPage' ? ' multipleItemSelectionAllowed="1"' : '';
    const listed = items.map(({ isHidden }, i) => `<item${isHidden ? ' h="1"' : ''} x="${i}"/>`);
    // Set `defaultSubtotal="0"`, because the pivot table displays no subtotals.
    return `<pivotField axis="${axis}"${isData}${several} ${flat} defaultSubtotal="0"><items count="${listed.length}">${listed.join('')}</items></pivotField>`;
  });
  const list = (name: string, items: readonly string[]): string =>
    items.length > 0 ? `<${name} count="${items.length}">${items.join('')}</${name}>` : '';
  const across = [...pivot.columnGroups, ...(measures > 1 ? [-2] : [])];
  const captions = pivot.values.map(({ field, aggregation }) => ({
    field,
    aggregation,
    caption: `${aggregation} of ${fields[field]?.name ?? ''}`,
  }));
  return (
    `${xmlDeclaration}<pivotTableDefinition xmlns="${mainNamespace}" name="${xmlEscape(pivot.name)}" cacheId="${cacheId}" ` +
    'applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" ' +
    'applyAlignmentFormats="0" applyWidthHeightFormats="1" dataCaption="Values" updatedVersion="6" ' +
    'minRefreshableVersion="3" createdVersion="6" useAutoFormatting="1" itemPrintTitles="1" indent="0" ' +
    'compact="0" outline="0" compactData="0" multipleFieldFilters="0">' +
    `<location ref="${ref}" firstHeaderRow="${!isAcross && measures > 1 ? 0 : 1}" ` +
    `firstDataRow="${pivot.columnGroups.length + (isAcross && measures > 1 ? 2 : 1)}" ` +
    `firstDataCol="${labelCols}` +
    `"${pages.length > 0 ? ` rowPageCount="${pages.length}" colPageCount="1"` : ''}/>` +
    list('pivotFields', pivotFields) +
    list(
      'rowFields',
      pivot.rowGroups.map((field) => `<field x="${field}"/>`),
    ) +
    list(
      'colFields',
      across.map((field) => `<field x="${field}"/>`),
    ) +
    list(
      'pageFields',
      pages.map((field) => `<pageField fld="${field}" hier="-1"/>`),
    ) +
    list(
      'dataFields',
      captions.map(
        ({ field, aggregation, caption }) =>
          `<dataField name="${xmlEscape(caption)}" fld="${field}` +
          `"${aggregation === 'SUM' ? '' : ` subtotal="${subtotals[aggregation]}"`} baseField="0" ` +
          'baseItem="0"/>',
      ),
    ) +
    '<pivotTableStyleInfo name="PivotStyleLight16" showRowHeaders="1" showColHeaders="1" ' +
    'showRowStripes="0" showColStripes="0" showLastColumn="1"/></pivotTableDefinition>'
  );
}

/**
 * Returns the cells of column `col`, from row `first` to `last`, in which a pivot table displays a value such as a date
 * with the number format of its source data. `pattern` is this number format.
 */
export function pivotLabels(
  document: SheetDocument,
  sub: SubSheet,
  col: number,
  first: number,
  last: number,
): { row: number; pattern: string }[] {
  const found: { row: number; pattern: string }[] = [];
  for (const { sheet, rect } of document.pivotOutputs.values()) {
    if (sheet !== sub.id || col < rect.left || col > rect.right) continue;
    for (let row = Math.max(first, rect.top); row <= Math.min(last, rect.bottom); row++) {
      if (document.style(sub, row, col).numberFormat !== undefined) continue;
      const pattern = document.numberFormat(sub, row, col);
      if (pattern !== 'General') found.push({ row, pattern });
    }
  }
  return found;
}
