import { z } from 'zod';
import { invalid, overLimit } from '../errors.ts';
import { flag, integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { resolveAreas } from '../calls/areas.ts';
import { findScopeSheet } from '../calls/sheet-lookup.ts';
import { RevisionSize } from '../calls/revision-size.ts';
import { dryRunSteps } from '../calls/dry-run-steps.ts';
import { maxFormulaLength, maxTextLength } from '../cells/cell-input.ts';
import { toFindOptions, withPatternFailures } from '../calls/find-options.ts';
import {
  csvCell,
  type SheetDocument,
  replacerOf,
  find,
  type Constant,
  type FormulaRun,
  type ValueRun,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { BudgetExceeded, CellError } from '@sheaf/engine';
import { type Mutation, setValues } from '@sheaf/engine/internal/mutations';
import { addressField, changedCellsOutput, changedCellsTokens, colField, rowField } from '../schema.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';

const maxCells = 100_000;

const input = {
  search_term: text('Text or pattern to find.', { min: 1, max: 1000 }).optional(),
  replacement: text('May be empty.', { max: maxTextLength }).optional(),
  replacements: list(
    'Several, in order, instead of the two above.',
    z.object({
      search_term: text('Text to find.', { min: 1, max: 1000 }),
      replacement: text('Its replacement.', { max: maxTextLength }),
    }),
    { max: 100 },
  )
    .meta({ 'x-listed': 'array', description: 'Several, in order: {"search_term":"a","replacement":"b"}.' })
    .optional(),
  range: addressField('Only there, e.g. Sheet1!A:C.').optional(),
  sheet_name: aliasField(text('Only this sub-sheet.', { max: 31 })).optional(),
  sheet_id: text('Only there.', { max: 64 }).optional(),
  start_row: aliasField(rowField('First row. Default: 0.')).optional(),
  start_col: aliasField(colField('First column. Default: 0.')).optional(),
  end_row: aliasField(rowField('Default: the last.')).optional(),
  end_col: aliasField(colField('Default: the last.')).optional(),
  match_case: flag('Case-sensitive.').optional(),
  match_entire_cell: flag('Entire text only.').optional(),
  use_regex: flag('search_term is a pattern.').optional(),
  match_formulas: flag('Formulas too.').optional(),
};

export const replace = writeTool({
  name: 'replace',
  summary:
    'Replaces text in cells. Formulas are changed only with match_formulas; numbers are matched by their ' +
    'digits. With use_regex (RE2) the replacement may use $1 and ${name}.',
  input,
  output: { replaced_count: integer('Number of cells changed.'), ...changedCellsOutput },
  plan(document, given, call) {
    const { search_term, replacement, replacements = [] } = given;
    if ((search_term === undefined) !== (replacement === undefined))
      throw invalid('replacement: search_term and replacement go together');
    const pairs = [
      ...(search_term === undefined || replacement === undefined ? [] : [{ search_term, replacement }]),
      ...replacements,
    ];
    const [only] = pairs;
    if (!only) throw invalid('search_term: is required (or replacements)');
    if (pairs.length === 1) {
      const { mutations, count } = planReplacement(document, { ...given, ...only });
      return { mutations, data: { replaced_count: count }, report };
    }
    let count = 0;
    const steps = pairs.map((pair) => () => {
      const step = planReplacement(document, { ...given, ...pair });
      count += step.count;
      return step.mutations;
    });
    return { mutations: dryRunSteps(document, call, steps), data: { replaced_count: count }, checked: true, report };
  },
});

const report = { tokens: changedCellsTokens, sheet: undefined };

type ReplaceInput = WriteValues<typeof input> & { readonly search_term: string; readonly replacement: string };

function planReplacement(document: SheetDocument, given: ReplaceInput): { mutations: Mutation[]; count: number } {
  const places =
    given.range === undefined
      ? [undefined]
      : resolveAreas(document, given.range, { sheet: given.sheet_id ?? given.sheet_name, isWrite: true });
  const substitute = substitution(given);
  const found = places.map((place) => {
    const options = toFindOptions(given, place?.sub ?? findScopeSheet(document, given));
    return find(document, { ...options, ...(place ? { within: place.rect } : {}), most: maxCells });
  });
  if (found.some(({ overflow }) => overflow))
    throw overLimit(`search_term: at most ${maxCells} cells can be changed at once; narrow the range`);
  const mutations: Mutation[] = [];
  const size = new RevisionSize();
  let count = 0;
  for (const sub of document.subSheets) {
    const cells = distinctCells(found.flatMap(({ results }) => results.filter((one) => one.sheet === sub.id)));
    const changed = cells.flatMap((one) => {
      const cell = replaceInCell(document, sub, one.row, one.col, given.match_formulas === true, substitute);
      size.add(cell);
      return cell;
    });
    count += changed.length;
    mutations.push(...writeCells(sub, changed));
  }
  return { mutations, count };
}

/** Removes duplicate cells, which occur when areas overlap. */
function distinctCells<Cell extends { readonly row: number; readonly col: number }>(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((one) => [`${one.row} ${one.col}`, one])).values()];
}

interface ChangedCell {
  readonly row: number;
  readonly col: number;
  readonly content: Constant | { readonly formula: string };
}

type Substitute = (text: string) => string;

function substitution(given: ReplaceInput): Substitute {
  const { search_term: term, replacement } = given;
  return withPatternFailures(() =>
    replacerOf({
      term,
      replacement,
      matchCase: given.match_case === true,
      entireCell: given.match_entire_cell === true,
      regex: given.use_regex === true,
    }),
  );
}

/**
 * Replaces text in one cell: in its formula if `formulas` is true, or in its value if it has no formula. Returns a list
 * with the new content; it is empty if nothing is replaced or the cell has no content of its own.
 */
function replaceInCell(
  document: SheetDocument,
  sub: SubSheet,
  r: number,
  c: number,
  formulas: boolean,
  substitute: Substitute,
): ChangedCell[] {
  const formula = document.formula(sub, r, c);
  if (formula !== undefined) {
    if (!formulas) return [];
    const after = apply(substitute, formula);
    if (after === formula) return [];
    if (!after.startsWith('=') || after.length < 2)
      throw invalid(
        `replacement: would leave no formula in row ${r}, column ${c} (got ${JSON.stringify(after.slice(0, 60))})`,
      );
    if (after.length > maxFormulaLength)
      throw overLimit(
        `replacement: the formula in row ${r}, column ${c} would have more than ${maxFormulaLength} characters`,
      );
    return [{ row: r, col: c, content: { formula: after } }];
  }
  const value = document.value(sub, r, c);
  // Skip blank cells, errors, and cells filled by an array formula or a pivot table.
  if (value === null || value instanceof CellError || sub.sheet.cells.formulaId(r, c) < 0) return [];
  const before =
    typeof value === 'string' ? value : typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
  const after = apply(substitute, before);
  if (after === before) return [];
  if (after.length > maxTextLength)
    throw overLimit(`replacement: the text in row ${r}, column ${c} would have more than ${maxTextLength} characters`);
  return [{ row: r, col: c, content: typeof value === 'string' ? after || null : formulaAsText(csvCell(after)) }];
}

function apply(substitute: Substitute, given: string): string {
  try {
    return substitute(given);
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error;
    throw invalid(`replacement: ${(error as Error).message}`);
  }
}

/**
 * Returns the cell's content, with a formula as plain text, so that a find-and-replace in values cannot create a
 * formula.
 */
function formulaAsText(cell: ReturnType<typeof csvCell>): Constant {
  return typeof cell === 'object' && cell !== null && 'formula' in cell ? cell.formula : cell;
}

/**
 * Returns mutations that write the changed cells. Cells without rich text keep their links. Cells with rich text lose
 * its formatting and their links.
 */
function writeCells(sub: SubSheet, changed: readonly ChangedCell[]): Mutation[] {
  const mutations: Mutation[] = [];
  for (const rich of [false, true]) {
    const cells = changed.filter((one) => (sub.rich.get(one.row, one.col) !== undefined) === rich);
    const values: ValueRun[] = [];
    const formulas: FormulaRun[] = [];
    for (const { row: r, col: c, content } of cells) {
      if (typeof content === 'object' && content !== null && 'formula' in content)
        formulas.push([r, c, 1, content.formula]);
      else values.push([r, c, [content]]);
    }
    if (cells.length > 0)
      mutations.push(setValues.of({ sheet: sub.id, values, formulas, ...(rich ? {} : { keepLinks: true as const }) }));
  }
  return mutations;
}
