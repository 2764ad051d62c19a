import { expect, test } from 'vitest';
import { edit } from '../../src/history/apply-edit.ts';
import { BudgetExceeded } from '../../src/base/budget.ts';
import { FormulaSyntaxError } from '../../src/formula/token.ts';
import * as m from '../../src/mutations/index.ts';
import { loadSnapshot, encodeSnapshot } from '../../src/history/snapshot.ts';
import {
  beginRebuild,
  isFailure,
  rebuild,
  checkRevisions,
  loadSnapshotCells,
  verifySnapshot,
  loadSnapshotHeader,
  type Revision,
} from '../../src/history/rebuild.ts';
import { doc, region } from './support.ts';

const sheet = 'Sheet1';

test('an edit applies whole or not at all', () => {
  const d = doc().fill('A1', [[1, '=A1*2', '=RAND()', '=SEQUENCE(3)']]);
  const before = d.bytes();
  const good = [
    m.setValues.of({ sheet, values: [[0, 0, [5]]] }),
    m.insertDimension.of({ sheet, axis: 'row', at: 0, count: 3 }),
    m.addSheet.of({ sheet: 'x', name: 'X' }),
  ];
  const bad = [
    m.setValues.of({ sheet, formulas: [[0, 0, 1, '=A1+']] }),
    m.setValues.of({ sheet: 'nowhere', values: [[0, 0, [1]]] }),
    m.setValues.of({ sheet, values: [[0, 0, [Number.NaN]]] }),
    m.setValues.of({ sheet, values: [[1_048_576, 0, [1]]] }),
    m.setStyle.of({ sheet, region: region('A1:A1'), set: { fontSize: -1 } }),
    m.removeChart.of({ sheet, id: 'none' }),
    m.renameSheet.of({ sheet: 'x', name: 'Sheet1' }),
    { type: 999, data: {} },
  ];
  for (const mutation of bad) {
    expect(() => edit(d.document, [...good, mutation], { now: 1, seed: 99 })).toThrow();
    expect(d.bytes()).toBe(before);
  }
});

test('errors name the field, the rule and the value', () => {
  const d = doc();
  expect(() => d.edit(m.setValues.of({ sheet: 'q', values: [[0, 0, [1]]] }))).toThrow(
    "sheet: there is no sub-sheet 'q'",
  );
  expect(() => d.edit(m.setStyle.of({ sheet, region: [0, 0, 3, -1], set: {} }))).toThrow(
    'region: the end (3, -1) is before the start (0, 0)',
  );
  expect(() => d.edit(m.setValues.of({ sheet, formulas: [[0, 0, 1, '=1+']] }))).toThrow(FormulaSyntaxError);
  expect(() => d.edit({ type: 999, data: {} })).toThrow('type: there is no mutation 999');
});

test('an edit that needs too many steps leaves the document as it was', () => {
  const d = doc().fill('A1', [[1, '=A1+1', '=NOW()', '=SEQUENCE(2)']]);
  const before = d.bytes();
  const heavy = [
    m.insertDimension.of({ sheet, axis: 'row', at: 0, count: 1 }),
    m.setValues.of({ sheet, formulas: [[5, 0, 20_000, '=SUM(Z$1:Z5000)']] }),
  ];
  expect(() => edit(d.document, heavy, { now: 2, seed: 2, limit: 1000 })).toThrow(BudgetExceeded);
  expect(d.bytes()).toBe(before);
  expect(d.set('A1', 4).text('B1')).toBe('5');
});

test('the cells whose value changed are told, and volatile ones follow the moment given', () => {
  const d = doc('Sheet1', 'Other')
    .fill('A1', [[1, '=A1*2']])
    .set('Other!C3', '=Sheet1!B1+1');
  const { changed } = d.edit(m.setValues.of({ sheet, values: [[0, 0, [5]]] }));
  expect(changed).toEqual([
    { sheet: 'Sheet1', col: 1, top: 0, bottom: 0 },
    { sheet: 'Other', col: 2, top: 2, bottom: 2 },
  ]);
  d.set('A2', '=NOW()');
  d.now = 50_000;
  d.set('Z9', 1);
  expect(d.text('A2')).toBe('50000');
});

test('writing into an array blocks it, undoing lets it spill again', () => {
  const d = doc().set('A1', '=SEQUENCE(3)');
  const before = d.bytes();
  const { inverse } = d.edit(m.setValues.of({ sheet, formulas: [[1, 0, 1, '=1+1']] }));
  expect(d.texts('A1:A3')).toEqual([['#SPILL!'], ['2'], ['']]);
  d.edit(...inverse);
  expect(d.bytes()).toBe(before);
  expect(d.texts('A1:A3')).toEqual([['1'], ['2'], ['3']]);
});

test('formulas that look at formats, widths and hidden rows follow them', () => {
  const d = doc().fill('A1', [[1, '=SUBTOTAL(109,A1:A3)', '=SUBTOTAL(9,A1:A3)', '=CELL("format",A1)'], [2], [4]]);
  d.edit(m.setVisible.of({ sheet, axis: 'row', runs: [[1, 1, 1]] }));
  expect([d.text('B1'), d.text('C1')]).toEqual(['5', '7']);
  d.edit(
    m.setFilter.of({
      sheet,
      filter: { id: 'f', region: region('A1:A3'), columns: [{ col: 0, visible: [] }], hidden: [[2, 2]] },
    }),
  );
  expect([d.text('B1'), d.text('C1')]).toEqual(['1', '3']);
  d.edit(m.setStyle.of({ sheet, region: region('A1:A1'), set: { numberFormat: '0%' } }));
  expect(d.text('D1')).toBe('P0');
});

// Rebuilding

function history(): { revisions: Revision[]; bytes: string } {
  const d = doc();
  const revisions: Revision[] = [
    { version: 1, mutations: [m.addSheet.of({ sheet, name: sheet })], now: d.now, seed: 1 },
  ];
  const steps = [
    m.setValues.of({ sheet, values: [[0, 0, [1, 2, 3]]], formulas: [[0, 1, 3, '=A1*2+RAND()']] }),
    m.deleteDimension.of({ sheet, axis: 'row', at: 1, count: 1 }),
  ];
  steps.forEach((mutation, i) => {
    d.edit(mutation);
    revisions.push({ version: i + 2, mutations: [mutation], now: d.now, seed: 1 });
  });
  return { revisions, bytes: d.bytes() };
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

test('the log alone gives the document that is served, and so does a snapshot with the rest of the log', () => {
  const { revisions, bytes } = history();
  const whole = rebuild({ revisions });
  if (isFailure(whole)) throw new Error(whole.message);
  expect([whole.version, latin(encodeSnapshot(whole.document)) === bytes]).toEqual([3, true]);
  const first = rebuild({ revisions: revisions.slice(0, 2) });
  if (isFailure(first)) throw new Error(first.message);
  const rest = rebuild({
    snapshot: { version: 2, bytes: encodeSnapshot(first.document) },
    revisions: revisions.slice(2),
  });
  if (isFailure(rest)) throw new Error(rest.message);
  expect([rest.version, latin(encodeSnapshot(rest.document)) === bytes]).toEqual([3, true]);
});

test('the first stage that fails is named, with the number of the mutation', () => {
  const { revisions } = history();
  const document = rebuild({ revisions });
  if (isFailure(document)) throw new Error(document.message);
  const bytes = encodeSnapshot(document.document);
  const broken = (change: (copy: Uint8Array) => Uint8Array): unknown =>
    rebuild({ snapshot: { version: 3, bytes: change(bytes.slice()) }, revisions: [] });
  expect(broken((copy) => copy.fill(0, 0, 4))).toEqual({
    stage: 'RebuildWorkbook.workbook_cmds',
    mutationType: 0,
    message: 'these bytes are no snapshot of a document',
  });
  expect(broken((copy) => copy.fill(9, 4, 5))).toMatchObject({
    stage: 'RebuildWorkbook.workbook_cmds',
    message: 'the snapshot has format 9; this program reads formats up to 1: update it',
  });
  expect(broken((copy) => copy.subarray(0, copy.length - 8))).toMatchObject({ stage: 'RebuildSheet', mutationType: 0 });
  expect(broken((copy) => new Uint8Array([...copy, 1, 2, 3]))).toMatchObject({
    stage: 'RebuildSheetWithTrim',
    mutationType: 0,
  });
  expect(rebuild({ revisions: revisions.slice(1) })).toEqual({
    stage: 'RebuildWorkbook.revisions',
    mutationType: 0,
    message: 'revision 2 stands where revision 1 should',
  });
  expect(rebuild({ revisions: [{ ...revisions[0]!, mutations: [{ type: 77, data: {} }] }] })).toEqual({
    stage: 'RebuildWorkbook.revisions',
    mutationType: 77,
    message: 'revision 1 holds a mutation of the unknown kind 77',
  });
  expect(
    rebuild({
      revisions: [revisions[0]!, { ...revisions[1]!, mutations: [m.removeFilter.of({ sheet, id: 'none' })] }],
    }),
  ).toEqual({ stage: 'ApplyNewRevisions', mutationType: 18, message: "id: there is no filter 'none'" });
});

test('each stage can be run by itself', () => {
  const { revisions } = history();
  const built = rebuild({ revisions });
  if (isFailure(built)) throw new Error(built.message);
  const state = beginRebuild({ snapshot: { version: 3, bytes: encodeSnapshot(built.document) }, revisions: [] });
  loadSnapshotHeader(state);
  expect(state.document.subSheets.map(({ name }) => name)).toEqual(['Sheet1']);
  expect(state.document.text(state.document.subSheet(sheet), 0, 0)).toBe('');
  checkRevisions(state);
  loadSnapshotCells(state);
  expect(state.document.text(state.document.subSheet(sheet), 1, 0)).toBe('3');
  verifySnapshot(state);
});

test('a snapshot keeps computed values, and bytes at any place in a buffer are read', () => {
  const d = doc().fill('A1', [['text', 1.5, true, '=1/0', '=RAND()', '=SEQUENCE(2,2)']]);
  const bytes = encodeSnapshot(d.document);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const opened = loadSnapshot(shifted.subarray(3));
  expect(latin(encodeSnapshot(opened))).toBe(latin(bytes));
  expect(opened.text(opened.subSheet(sheet), 0, 4)).toBe(d.text('E1'));
  expect(opened.text(opened.subSheet(sheet), 1, 6)).toBe('4');
});

test('damaged snapshots are refused, never misread as something else to run on', () => {
  const bytes = encodeSnapshot(
    doc().fill('A1', [
      ['text', 1.5, '=A1&B1'],
      [1, 2, '=A2&B2'],
    ]).document,
  );
  let refused = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const copy = bytes.slice();
    copy[i] = (copy[i]! + 91) & 255;
    const result = rebuild({ snapshot: { version: 1, bytes: copy }, revisions: [] });
    if (isFailure(result)) refused++;
  }
  expect(refused).toBeGreaterThan(bytes.length / 12);
});
