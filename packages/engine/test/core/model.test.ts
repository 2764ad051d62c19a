import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellName, columnName, columnOf } from '../../src/base/address.ts';
import { CellError, type Scalar } from '../../src/base/values.ts';
import { WorkbookCore } from '../../src/workbook/workbook-core.ts';

/** A plain map of cells with formulas as text, edited by the letter and computed as a whole: what the engine must equal. */

const sheetNames = ['One', 'Two'];
const rowCount = 12;
const colCount = 6;

type Cell = { value: Scalar; formula?: string; style: number };
type Model = Map<string, Cell>[];

type Step =
  | { op: 'value'; sheet: number; row: number; col: number; value: Scalar }
  | { op: 'formula'; sheet: number; row: number; col: number; text: string }
  | { op: 'fill'; sheet: number; row: number; col: number; count: number; text: string }
  | { op: 'style'; sheet: number; row: number; col: number; style: number }
  | { op: 'insert' | 'delete'; sheet: number; axis: 'row' | 'col'; at: number; count: number }
  | { op: 'move'; sheet: number; axis: 'row' | 'col'; from: number; count: number; to: number }
  | {
      op: 'shift';
      sheet: number;
      axis: 'row' | 'col';
      kind: 'insert' | 'delete';
      at: number;
      count: number;
      first: number;
      width: number;
    }
  | { op: 'clear'; sheet: number; row: number; col: number; count: number }
  | { op: 'sort'; sheet: number; row: number; col: number; keys: number[] }
  | { op: 'recalc' };

const referencePattern = /(?:(One|Two)!)?(\$?)([A-Z]{1,2})(\$?)(\d{1,3})(?::(\$?)([A-Z]{1,2})(\$?)(\d{1,3}))?/g;

interface Edit {
  readonly kind: 'insert' | 'delete' | 'move';
  readonly at: number;
  readonly count: number;
  readonly to: number;
}

/** The list of old positions in their new order, -1 for fresh ones. */
function arrangement(edit: Edit, length: number): number[] {
  const list = Array.from({ length }, (_, i) => i);
  if (edit.kind === 'move' && edit.to >= edit.at && edit.to <= edit.at + edit.count) return list;
  if (edit.kind === 'insert') list.splice(edit.at, 0, ...Array.from({ length: edit.count }, () => -1));
  else {
    const taken = list.splice(edit.at, edit.count);
    if (edit.kind === 'move') list.splice(edit.to > edit.at ? edit.to - edit.count : edit.to, 0, ...taken);
  }
  return list;
}

/** Ends of a range after an edit, by looking at where its cells went. */
function moveRange(edit: Edit, first: number, last: number): [number, number] | undefined {
  const after = arrangement(edit, 400);
  const inBlock = (i: number): boolean => i >= edit.at && i < edit.at + edit.count;
  const old = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  let keep = old;
  if (edit.kind === 'move' && edit.to >= edit.at && edit.to <= edit.at + edit.count) return [first, last];
  if (edit.kind === 'move' && !old.every(inBlock)) {
    const around = first <= edit.at && last >= edit.at + edit.count - 1;
    if (around && edit.to > first && edit.to <= last) return [first, last];
    keep = old.filter((i) => !inBlock(i));
  }
  const places = keep.map((i) => after.indexOf(i)).filter((i) => i >= 0);
  return places.length === 0 ? undefined : [Math.min(...places), Math.max(...places)];
}

interface Strip {
  readonly first: number;
  readonly last: number;
}

function rewrite(text: string, own: number, target: number, axis: 'row' | 'col', edit: Edit, strip?: Strip): string {
  return text.replace(referencePattern, (whole, sheet: string | undefined, ...rest: string[]) => {
    const on = sheet === undefined ? own : sheetNames.indexOf(sheet);
    if (on !== target) return whole;
    const [d1 = '', c1 = '', d2 = '', r1 = '', d3, c2, d4, r2] = rest;
    const single = c2 === undefined || r2 === undefined;
    let rows: [number, number] = [Number(r1) - 1, Number(single ? r1 : r2) - 1];
    let cols: [number, number] = [columnOf(c1), columnOf(single ? c1 : c2)];
    const [crossFirst, crossLast] = axis === 'row' ? cols : rows;
    if (strip && (crossFirst < strip.first || crossLast > strip.last)) return whole;
    const moved = moveRange(edit, ...(axis === 'row' ? rows : cols));
    const prefix = sheet === undefined ? '' : `${sheet}!`;
    if (!moved) return `${prefix}#REF!`;
    if (axis === 'row') rows = moved;
    else cols = moved;
    const start = `${d1}${columnName(cols[0])}${d2}${rows[0] + 1}`;
    return prefix + (single ? start : `${start}:${d3}${columnName(cols[1])}${d4}${rows[1] + 1}`);
  });
}

function editModel(model: Model, target: number, axis: 'row' | 'col', edit: Edit, strip?: Strip): void {
  const after = arrangement(edit, 400);
  model.forEach((cells, sheet) => {
    const entries = [...cells];
    cells.clear();
    for (const [key, cell] of entries) {
      let [row = 0, col = 0] = key.split(',').map(Number);
      const cross = axis === 'row' ? col : row;
      if (sheet === target && (!strip || (cross >= strip.first && cross <= strip.last))) {
        const place = after.indexOf(axis === 'row' ? row : col);
        if (place < 0) continue;
        if (axis === 'row') row = place;
        else col = place;
      }
      const formula = cell.formula === undefined ? undefined : rewrite(cell.formula, sheet, target, axis, edit, strip);
      cells.set(`${row},${col}`, { ...cell, formula });
    }
  });
}

/** Moves relative references as copying down does. */
function copied(text: string, rows: number): string {
  return text.replace(referencePattern, (_whole, sheet: string | undefined, ...rest: string[]) => {
    const [d1, c1, d2, r1, d3, c2, d4, r2] = rest;
    const shift = (fixed: string | undefined, line: string | undefined): string =>
      String(Number(line) + (fixed === '$' ? 0 : rows));
    const prefix = sheet === undefined ? '' : `${sheet}!`;
    if (Number(shift(d2, r1)) < 1 || (r2 !== undefined && Number(shift(d4, r2)) < 1)) return `${prefix}#REF!`;
    const start = `${d1}${c1}${d2}${shift(d2, r1)}`;
    return prefix + (c2 === undefined ? start : `${start}:${d3}${c2}${d4}${shift(d4, r2)}`);
  });
}

/** As written: ends in order. */
function normal(text: string): string {
  return text.replace(referencePattern, (whole, sheet: string | undefined, ...rest: string[]) => {
    const [d1 = '', c1 = '', d2 = '', r1 = '', d3 = '', c2, d4 = '', r2] = rest;
    if (c2 === undefined || r2 === undefined) return whole;
    const [left, right] = columnOf(c1) <= columnOf(c2) ? [d1 + c1, d3 + c2] : [d3 + c2, d1 + c1];
    const [top, bottom] = Number(r1) <= Number(r2) ? [d2 + r1, d4 + r2] : [d4 + r2, d2 + r1];
    return `${sheet === undefined ? '' : `${sheet}!`}${left}${top}:${right}${bottom}`;
  });
}

const row = fc.integer({ min: 0, max: rowCount - 1 });
const col = fc.integer({ min: 0, max: colCount - 1 });
const sheet = fc.integer({ min: 0, max: 1 });
const axis = fc.constantFrom<'row' | 'col'>('row', 'col');
const dollar = fc.constantFrom('', '', '$');
const corner = fc.tuple(dollar, col, dollar, row).map(([d, c, e, r]) => `${d}${columnName(c)}${e}${r + 1}`);
const prefix = fc.constantFrom('', '', '', 'Two!', 'One!');
const single = fc.tuple(prefix, corner).map(([p, c]) => p + c);
const area = fc.tuple(prefix, corner, corner).map(([p, a, b]) => `${p}${a}:${b}`);
const formula = fc
  .oneof(
    fc.tuple(single, single).map(([a, b]) => `=${a}+${b}`),
    single.map((a) => `=${a}*2-1`),
    area.map((a) => `=SUM(${a})`),
    fc.tuple(area, single).map(([a, b]) => `=COUNT(${a})+${b}`),
    fc.tuple(single, single, single).map(([a, b, c]) => `=IF(${a}>${b},${c},"no")`),
    fc.tuple(single, single).map(([a, b]) => `=${a}&${b}`),
    fc.tuple(area, area).map(([a, b]) => `=MAX(${a},${b})`),
    single.map((a) => `=ROW(${a})`),
    fc.constantFrom('={1,2}', '={1;2;3}', '={1,2;3,4}', '={5,6,7}'),
  )
  .map(normal);
const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom<Scalar>('x', 'Y', true, null, 2.5));
const count = fc.integer({ min: 1, max: 3 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('value' as const), sheet, row, col, value }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('formula' as const), sheet, row, col, text: formula }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('fill' as const),
      sheet,
      row,
      col,
      count: fc.integer({ min: 2, max: 6 }),
      text: formula,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('style' as const), sheet, row, col, style: fc.integer({ min: 0, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constantFrom('insert' as const, 'delete' as const), sheet, axis, at: row, count }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('move' as const), sheet, axis, from: row, count, to: row }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('shift' as const),
      sheet,
      axis,
      kind: fc.constantFrom('insert' as const, 'delete' as const),
      at: row,
      count,
      first: col,
      width: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('clear' as const), sheet, row, col, count }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('sort' as const),
      sheet,
      row,
      col,
      keys: fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 2, maxLength: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ op: 'recalc' as const }) },
);

function perform(workbook: WorkbookCore, model: Model, one: Step): void {
  if (one.op === 'recalc') {
    workbook.recalc();
    return;
  }
  const target = workbook.sheets[one.sheet];
  const cells = model[one.sheet];
  if (!target || !cells) throw new Error('no such sheet');
  const put = (r: number, c: number, cell: { value: Scalar; formula?: string }): void => {
    cells.set(`${r},${c}`, { ...cell, style: cells.get(`${r},${c}`)?.style ?? 0 });
  };
  switch (one.op) {
    case 'value':
      workbook.setValue(target, one.row, one.col, one.value);
      put(one.row, one.col, { value: one.value });
      break;
    case 'formula':
      workbook.setFormula(target, one.row, one.col, one.text);
      put(one.row, one.col, { value: null, formula: one.text });
      break;
    case 'fill':
      for (let i = 0; i < one.count; i++) {
        const text = normal(copied(one.text, i));
        workbook.setFormula(target, one.row + i, one.col, text);
        put(one.row + i, one.col, { value: null, formula: text });
      }
      break;
    case 'style': {
      target.cells.setStyleId(one.row, one.col, one.style);
      const cell = cells.get(`${one.row},${one.col}`) ?? { value: null };
      cells.set(`${one.row},${one.col}`, { ...cell, style: one.style });
      break;
    }
    case 'shift': {
      const strip = { first: one.first, last: one.first + one.width };
      workbook.shiftCells(target, one.axis, { kind: one.kind, at: one.at, count: one.count }, strip.first, strip.last);
      editModel(model, one.sheet, one.axis, { kind: one.kind, at: one.at, count: one.count, to: 0 }, strip);
      break;
    }
    case 'clear': {
      for (let r = one.row; r <= one.row + one.count; r++) {
        for (let c = one.col; c <= one.col + one.count; c++) {
          workbook.setValue(target, r, c, null);
          if (cells.has(`${r},${c}`)) put(r, c, { value: null });
        }
      }
      break;
    }
    case 'sort': {
      const order = one.keys.map((_, i) => i).toSorted((a, b) => (one.keys[a] ?? 0) - (one.keys[b] ?? 0));
      const right = one.col + 2;
      for (let c = one.col; c <= right; c++) {
        const contents = order.map((from) => ({
          value: target.cells.isSpilled(one.row + from, c) ? null : target.read(one.row + from, c),
          template: workbook.templateAt(target, one.row + from, c),
          style: target.cells.styleId(one.row + from, c),
        }));
        contents.forEach(({ value, template, style }, to) => {
          if (template) workbook.setTemplate(target, one.row + to, c, template);
          else workbook.setValue(target, one.row + to, c, value);
          target.cells.setStyleId(one.row + to, c, style);
        });
        const old = order.map((from) => cells.get(`${one.row + from},${c}`));
        order.forEach((from, to) => {
          const cell = old[to];
          cells.delete(`${one.row + to},${c}`);
          if (!cell) return;
          const formula = cell.formula === undefined ? undefined : normal(copied(cell.formula, to - from));
          cells.set(`${one.row + to},${c}`, { ...cell, formula });
        });
      }
      break;
    }
    case 'move': {
      const change = { kind: 'move' as const, at: one.from, count: one.count, to: one.to };
      if (one.axis === 'row') workbook.moveRows(target, one.from, one.count, one.to);
      else workbook.moveCols(target, one.from, one.count, one.to);
      editModel(model, one.sheet, one.axis, change);
      break;
    }
    default: {
      const change = { kind: one.op, at: one.at, count: one.count, to: 0 };
      if (one.axis === 'row') {
        if (one.op === 'insert') workbook.insertRows(target, one.at, one.count);
        else workbook.deleteRows(target, one.at, one.count);
      } else if (one.op === 'insert') workbook.insertCols(target, one.at, one.count);
      else workbook.deleteCols(target, one.at, one.count);
      editModel(model, one.sheet, one.axis, change);
    }
  }
}

type Shown = Record<string, string>;

function show(workbook: WorkbookCore): Shown {
  const shown: Shown = {};
  for (const one of workbook.sheets) {
    for (let r = 0; r < 60; r++) {
      for (let c = 0; c < 40; c++) {
        const read = one.read(r, c);
        const text = workbook.formulaText(one.id, r, c);
        const style = one.cells.styleId(r, c);
        if (read === null && text === undefined && style === 0) continue;
        const plain = read instanceof CellError ? read.text : JSON.stringify(read);
        shown[`${one.name}!${cellName(r, c)}`] = `${plain} ${text ?? ''} ${style}`;
      }
    }
  }
  return shown;
}

/** The model computed as a whole in a fresh workbook. */
function computed(model: Model): Shown {
  const workbook = new WorkbookCore();
  const sheets = sheetNames.map((name) => workbook.addSheet(name));
  model.forEach((cells, index) => {
    const target = sheets[index];
    if (!target) return;
    for (const [key, cell] of cells) {
      const [r = 0, c = 0] = key.split(',').map(Number);
      if (cell.formula !== undefined) workbook.setFormula(target, r, c, cell.formula);
      else workbook.setValue(target, r, c, cell.value);
      target.cells.setStyleId(r, c, cell.style);
    }
  });
  workbook.recalc();
  return show(workbook);
}

describe('the engine against a plain model', () => {
  it('gives the same values, formulas and styles after any writes and structural edits', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 25 }), (steps) => {
        const workbook = new WorkbookCore();
        for (const name of sheetNames) workbook.addSheet(name);
        const model: Model = sheetNames.map(() => new Map());
        for (const one of steps) perform(workbook, model, one);
        workbook.recalc();
        expect(show(workbook)).toEqual(computed(model));
      }),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 400), seed: Number(process.env['MODEL_SEED'] ?? 7) },
    );
  });
});
