import { expect, test } from 'vitest';
import {
  addSheet,
  apply,
  areNoOps,
  besideOf,
  defineMutation,
  deleteDimension,
  insertDimension,
  lineShiftOf,
  moveLines,
  mutationKinds,
  putChart,
  scopeOf,
  setFreeze,
  setValues,
  touches,
  type MutationKind,
} from '../../src/mutations-entry.ts';
import { SheetDocument } from '../../src/document-entry.ts';

interface Nothing {
  readonly sheet: string;
}

const facts = {
  type: 10_000,
  name: 'nothing',
  scope: 'cells',
  touches: ({ sheet }: Nothing) => [{ sheet }],
  isNoOp: () => true,
  beside: { undone: 'never', later: 'never' },
  apply: () => [],
} as const;

test('[finding A1] a kind without one of its facts does not compile', () => {
  const { touches: _touches, ...noTouches } = facts;
  const { isNoOp: _isNoOp, ...noNoOp } = facts;
  const { scope: _scope, ...noScope } = facts;
  const { beside: _beside, ...noBeside } = facts;
  const whole: MutationKind<Nothing> = defineMutation(facts);
  // @ts-expect-error: what it touches is not said, so nothing could protect cells from it.
  const untouched: MutationKind<Nothing> = defineMutation(noTouches);
  // @ts-expect-error: whether it changes anything is not said.
  const idle: MutationKind<Nothing> = defineMutation(noNoOp);
  // @ts-expect-error: what sort of thing it changes is not said.
  const unscoped: MutationKind<Nothing> = defineMutation(noScope);
  // @ts-expect-error: what it may run beside is not said.
  const alone: MutationKind<Nothing> = defineMutation(noBeside);
  // @ts-expect-error: a kind that changes the layout says how rows and columns shift.
  const unmoved: MutationKind<Nothing> = defineMutation({ ...facts, scope: 'layout' });
  expect([whole, untouched, idle, unscoped, alone, unmoved].map(({ type }) => type)).toEqual(Array(6).fill(10_000));
});

test('[finding A1] every kind has a number of its own', () => {
  expect(mutationKinds.length).toBeGreaterThanOrEqual(45);
  expect(new Set(mutationKinds.map(({ type }) => type)).size).toBe(mutationKinds.length);
  expect(new Set(mutationKinds.map(({ name }) => name)).size).toBe(mutationKinds.length);
});

test('[finding A1] a kind that is not known touches nothing in silence: it is refused', () => {
  const document = new SheetDocument();
  const unknown = { type: 10_000, data: { sheet: 's' } };
  expect(() => touches(document, unknown)).toThrow('there is no mutation 10000');
  expect(() => areNoOps(document, [unknown])).toThrow('there is no mutation 10000');
  expect(() => scopeOf(unknown)).toThrow('there is no mutation 10000');
  expect(() => besideOf(unknown)).toThrow('there is no mutation 10000');
});

test('[finding A1] facts are told of a mutation by itself', () => {
  const document = new SheetDocument();
  apply(document, addSheet.of({ sheet: 's', name: 'One' }));
  const insert = insertDimension.of({ sheet: 's', axis: 'row', at: 2, count: 3 });
  expect(touches(document, insert)).toEqual([{ sheet: 's', across: { axis: 'row', at: 2 } }]);
  expect(lineShiftOf(insert)).toEqual({ sheet: 's', axis: 'row', at: 2, count: 3 });
  expect(lineShiftOf(deleteDimension.of({ sheet: 's', axis: 'col', at: 1, count: 2 }))).toEqual({
    sheet: 's',
    axis: 'col',
    at: 1,
    count: -2,
  });
  expect(lineShiftOf(moveLines.of({ sheet: 's', axis: 'row', from: 1, count: 2, to: 6 }))).toEqual({
    sheet: 's',
    axis: 'row',
    at: 1,
    count: 2,
    to: 6,
  });
  const values = setValues.of({ sheet: 's', values: [[4, 1, [1, 2]]] });
  expect(touches(document, values)).toEqual([
    {
      sheet: 's',
      rect: { top: 4, left: 1, bottom: 5, right: 1 },
      writesFormulas: true,
      writesContents: true,
    },
  ]);
  expect(lineShiftOf(values)).toBeUndefined();
  expect([insert, values, addSheet.of({ sheet: 't', name: 'Two' })].map(scopeOf)).toEqual([
    'layout',
    'cells',
    'sheets',
  ]);
  expect(scopeOf({ type: putChart.type, data: {} })).toBe('objects');
  expect(areNoOps(document, [setFreeze.of({ sheet: 's', rows: 0, cols: 0 })])).toBe(true);
  expect(areNoOps(document, [setFreeze.of({ sheet: 's', rows: 1, cols: 0 })])).toBe(false);
});
