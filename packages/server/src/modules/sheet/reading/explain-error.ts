import { nearestName } from '../../../kernel/unknown-fields.ts';
import { resolveRef, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { CellError, cellErrors, cellName, functionNamed, functionNames, rectName } from '@sheaf/engine';
import { formatSheetPrefix } from '../calls/address.ts';
import { joinDown, mergeColumnRuns, type ColumnRun } from './column-runs.ts';
import { findErrorCause } from './error-cause.ts';

/**
 * An ErrorList explains at most this many error cells for each entry that its limit allows. There are more cells than
 * entries, because adjacent cells with the same error and cause share one entry.
 */
const cellsPerEntry = 2;

/**
 * Counts error cells, and lists the first ones with their causes in at most `most` entries. Adjacent cells with the
 * same error and cause share one entry.
 */
export class ErrorList {
  count = 0;
  readonly #document: SheetDocument;
  readonly #most: number;
  readonly #runs = new Map<string, ColumnRun<string>[]>();

  constructor(document: SheetDocument, most: number) {
    this.#document = document;
    this.#most = most;
  }

  add(sub: SubSheet, row: number, col: number, prefix: string): void {
    if (!(this.#document.value(sub, row, col) instanceof CellError)) return;
    if (++this.count > this.#most * cellsPerEntry) return;
    const runs = this.#runs.get(prefix) ?? [];
    this.#runs.set(prefix, runs);
    runs.push({ col, top: row, bottom: row, what: explainError(this.#document, sub, row, col) });
  }

  /** The first errors with their causes, by the address of the cell or range. */
  get errors(): Record<string, string> {
    const entries = [...this.#runs].flatMap(([prefix, runs]) =>
      mergeColumnRuns(joinDown(runs)).map(({ rect, what }) => [`${prefix}${rectName(rect)}`, what] as const),
    );
    return Object.fromEntries(entries.slice(0, this.#most));
  }
}

/**
 * Returns the text of an error cell and, if it can be found, the cause of the error, such as an unknown name, a missing
 * sub-sheet, or the cell from which the error comes. Returns the displayed text of any other cell.
 */
export function explainError(document: SheetDocument, sub: SubSheet, row: number, col: number): string {
  const value = document.value(sub, row, col);
  if (!(value instanceof CellError)) return document.text(sub, row, col);
  const why = reason(document, sub, row, col, value);
  return why === undefined ? value.text : `${value.text} ${why}`;
}

function reason(
  document: SheetDocument,
  sub: SubSheet,
  row: number,
  col: number,
  value: CellError,
): string | undefined {
  const template = document.workbook.templateAt(sub.sheet, row, col);
  if (!template) return undefined;
  if (value === cellErrors.circular) return 'needs its own value';
  if (value === cellErrors.name) {
    const unknown = unknownName(document, sub, template.pattern.ast as unknown as Node);
    if (unknown !== undefined) return unknown;
  }
  for (const ref of template.refs) {
    if (typeof ref.sheet === 'string') return `there is no sub-sheet ${JSON.stringify(ref.sheet)}`;
    const rect = resolveRef(ref, row, col);
    if (!rect) {
      if (value === cellErrors.ref) return 'what it referred to is gone';
      continue;
    }
    const sheet = ref.sheet === undefined ? sub : document.numbered(ref.sheet);
    if (!sheet) continue;
    let from: string | undefined;
    sheet.sheet.eachFilled(rect.top, rect.left, rect.bottom, rect.right, (one, r, c) => {
      if (one !== value) return undefined;
      from = `${sheet === sub ? '' : formatSheetPrefix(sheet)}${cellName(rect.top + r, rect.left + c)}`;
      return false;
    });
    if (from !== undefined) return `from ${from}`;
  }
  const formula = document.formula(sub, row, col);
  return formula === undefined ? undefined : findErrorCause(document, sub, formula, value);
}

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly args?: readonly Node[];
  readonly [child: string]: unknown;
}

/** Returns a message about the first unknown function or name in a formula; undefined if all are known. */
function unknownName(document: SheetDocument, sub: SubSheet, ast: Node): string | undefined {
  const bound = new Set<string>();
  const calls: string[] = [];
  const names: string[] = [];
  const waiting: Node[] = [ast];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const name = node.name?.toUpperCase();
    if (node.type === 'name' && name !== undefined) names.push(name);
    if (node.type === 'call' && name !== undefined) {
      if (!functionNamed(name)) calls.push(name);
      if (name === 'LET' || name === 'LAMBDA')
        for (const one of node.args ?? []) if (one.type === 'name' && one.name) bound.add(one.name.toUpperCase());
    }
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) waiting.push(...(child as Node[]).filter((one) => typeof one?.type === 'string'));
      else if (typeof (child as Node | undefined)?.type === 'string') waiting.push(child as Node);
    }
  }
  const isUnknown = (name: string): boolean =>
    !bound.has(name) && document.workbook.nameDefinition(name, sub.sheet.id) === undefined;
  const call = calls.find(isUnknown);
  if (call !== undefined) return `there is no function ${call}${meant(call, functionNames())}`;
  const name = names.find(isUnknown);
  const known = document.names().map((one) => one.name);
  return name === undefined ? undefined : `there is no name ${name}${meant(name, known)}`;
}

function meant(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}
