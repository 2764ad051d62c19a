import { requireById } from '../calls/sheet-lookup.ts';
import { fail } from '../../../kernel/errors.ts';
import { invalid, overLimit } from '../errors.ts';
import { list, text } from '../../../kernel/field-schemas.ts';
import {
  rectOf,
  regionOf,
  type RangeObject,
  type RangeObjectKind,
  type Region,
  type SheetDocument,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { resolveAddress } from '../calls/address.ts';
import { FormulaSyntaxError, rectName } from '@sheaf/engine';

export const rangesField = {
  ranges: list('Of one sub-sheet, e.g. Sales!B2:B99.', text('A range.', { min: 1, max: 300 }), {
    min: 1,
    max: 100,
  }),
};

export const valuesField = {
  values: list('Numbers, texts, or formulas with = relative to the first cell.', text('A value.', { max: 8192 }), {
    max: 255,
  }).optional(),
};

/** Resolves ranges to regions. Throws if the ranges are not all on one sub-sheet. */
export function resolveRegions(
  document: SheetDocument,
  { ranges, sheet_id: sheet }: { ranges: readonly string[]; sheet_id?: string },
): { sub: SubSheet; regions: Region[] } {
  const places = ranges.map((range, index) =>
    resolveAddress(document, range, { field: `ranges[${index}]`, sheet, isWrite: true }),
  );
  const { sub } = places[0]!;
  const other = places.findIndex((place) => place.sub !== sub);
  if (other >= 0)
    throw invalid(
      `ranges[${other}]: must be on the same sub-sheet as the first, ${sub.name} (got ${places[other]!.sub.name})`,
    );
  return { sub, regions: places.map(({ rect }) => regionOf(rect)) };
}

export function formatRegions(regions: readonly Region[]): string[] {
  return regions.map((region) => rectName(rectOf(region)));
}

/**
 * Converts typed values to formula operands: formulas lose their leading `=`, numbers and booleans stay as they are,
 * and other text is put in quotes. Throws if a formula is invalid.
 */
export function toFormulaOperands(
  document: SheetDocument,
  values: readonly string[],
  [first]: readonly Region[],
): string[] {
  return values.map((value, index) => {
    const written = operandOf(value);
    try {
      document.workbook.templates.of(`=${written}`, first?.[0] ?? 0, first?.[1] ?? 0);
    } catch (error) {
      if (error instanceof FormulaSyntaxError) throw fail('formula', `values[${index}]: ${error.message}`);
      throw error;
    }
    return written;
  });
}

function operandOf(value: string): string {
  const trimmed = value.trim();
  if (trimmed.startsWith('=') && trimmed.length > 1) return trimmed.slice(1);
  if (trimmed !== '' && Number.isFinite(Number(trimmed))) return String(Number(trimmed));
  if (/^(?:true|false)$/i.test(trimmed)) return trimmed.toUpperCase();
  return `"${value.replaceAll('"', '""')}"`;
}

/**
 * Converts a formula operand back to the text that a user would type: `"a"` to `a`, `5` to `5`, and any other formula
 * to the formula with a leading `=`.
 */
export function fromFormulaOperand(written: string): string {
  const quoted = /^"((?:[^"]|"")*)"$/.exec(written)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return written === '' || Number.isFinite(Number(written)) ? written : `=${written}`;
}

export function requireRangeObject<List extends RangeObjectKind>(
  sub: SubSheet,
  kind: List,
  id: string,
  field: string,
): SubSheet[List][number] {
  const objects = sub[kind] as readonly RangeObject[];
  return requireById(objects, id, `${field}: there is none`, { listed: 10 }) as SubSheet[List][number];
}

/**
 * Maximum number of objects of one kind, such as comments or tables, per sub-sheet. More objects would slow down every
 * read.
 */
const maxObjects = 10_000;

export function refuseTooManyObjects(sub: SubSheet, kind: RangeObjectKind): void {
  if (sub[kind].length >= maxObjects) throw overLimit(`sheet_id: a sub-sheet has at most ${maxObjects} ${kind}`);
}

/** Removes undefined properties, because objects are compared and stored as JSON. */
export function dropUndefined<T extends object>(given: T): T {
  return JSON.parse(JSON.stringify(given)) as T;
}
