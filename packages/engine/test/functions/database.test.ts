import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/base/values.ts';
import { book } from '../support.ts';

/** The orchard of Excel's own help, from A6; criteria stand above it. */
const orchardTable: Scalar[][] = [
  ['Tree', 'Height', 'Age', 'Yield', 'Profit', 'Height'],
  ['=""&"=Apple"', '>10', null, null, null, '<16'],
  ['=""&"=Pear"', null, null, null, null, null],
  [],
  [],
  ['Tree', 'Height', 'Age', 'Yield', 'Profit'],
  ['Apple', 18, 20, 14, 105],
  ['Pear', 12, 12, 10, 96],
  ['Cherry', 13, 14, 9, 105],
  ['Apple', 14, 15, 10, 75],
  ['Pear', 9, 8, 8, 76.8],
  ['Apple', 8, 9, 6, 45],
];

function orchard(formula: string, more: Record<string, Scalar> = {}): number | string | boolean | null {
  const wb = book().fill('A1', orchardTable);
  for (const [address, input] of Object.entries(more)) wb.set(address, input);
  return wb.set('Z1', formula).value('Z1');
}

describe('totals over records', () => {
  it.each([
    ['=DCOUNT(A6:E12,"Age",A1:F2)', 1],
    ['=DCOUNTA(A6:E12,"Profit",A1:F2)', 1],
    ['=DMAX(A6:E12,"Profit",A1:F3)', 96],
    ['=DMIN(A6:E12,"Profit",A1:F3)', 75],
    ['=DSUM(A6:E12,"Profit",A1:A2)', 225],
    ['=DSUM(A6:E12,"profit",A1:F2)', 75],
    ['=DSUM(A6:E12,5,A1:A2)', 225],
    ['=DSUM(A6:E12,5.9,A1:A2)', 225],
    ['=DPRODUCT(A6:E12,"Yield",A1:F3)', 800],
    ['=DAVERAGE(A6:E12,"Yield",A1:B2)', 12],
    ['=DSTDEV(A6:E12,"Yield",A1:A3)', 2.9664793948382653],
    ['=DSTDEVP(A6:E12,"Yield",A1:A3)', 2.6532998322843198],
    ['=DVAR(A6:E12,"Yield",A1:A3)', 8.8],
    ['=DVARP(A6:E12,"Yield",A1:A3)', 7.04],
    ['=DGET(A6:E12,"Yield",A1:F2)', 10],
    ['=DGET(A6:E12,"Yield",A1:A3)', '#NUM!'],
  ])('%s', (formula, expected) => {
    const result = orchard(formula);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 12);
    else expect(result).toBe(expected);
  });

  it.each([
    ['=DSUM(A6:E12,"Weight",A1:A2)', '#VALUE!'],
    ['=DSUM(A6:E12,6,A1:A2)', '#VALUE!'],
    ['=DSUM(A6:E12,0,A1:A2)', '#VALUE!'],
    ['=DSUM(A6:E12,,A1:A2)', '#VALUE!'],
    ['=DSUM(A6:E6,"Profit",A1:A2)', '#VALUE!'],
    ['=DSUM(A6:E12,#N/A,A1:A2)', '#N/A'],
    ['=DCOUNT(A6:E12,,A1:A2)', 3],
    ['=DCOUNT(A6:E12,"Tree",A1:A2)', 0],
    ['=DCOUNTA(A6:E12,"Tree",A1:A2)', 3],
  ])('fields: %s', (formula, expected) => {
    expect(orchard(formula)).toBe(expected);
  });
});

describe('criteria ranges', () => {
  it.each<[string, Scalar, number]>([
    // Text without a sign is a beginning.
    ['Tree', 'pe', 2],
    ['Tree', '*e*', 6],
    ['Tree', '=""&"=A"', 0],
    ['Tree', '<>Apple', 3],
    ['Height', 12, 1],
    ['Height', '>=13', 3],
    ['Height', null, 6],
    ['Color', false, 0],
  ])('%s %s finds %i records', (heading, criterion, expected) => {
    expect(orchard('=DCOUNTA(A6:E12,"Tree",H1:H2)', { H1: heading, H2: criterion })).toBe(expected);
  });

  it('holds for every record when a row is blank', () => {
    expect(orchard('=DCOUNT(A6:E12,"Age",A1:F4)')).toBe(6);
  });

  it('computes a formula under a heading of its own for every record', () => {
    expect(orchard('=DCOUNT(A6:E12,"Age",H1:H2)', { H2: '=E7>AVERAGE(E$7:E$12)' })).toBe(3);
    expect(orchard('=DSUM(A6:E12,"Profit",H1:H2)', { H1: 'tall', H2: '=B7>C7' })).toBe(76.8);
  });

  it('passes errors of the field on, not those of other columns', () => {
    expect(orchard('=DSUM(A6:E12,"Profit",A1:A2)', { E7: '=1/0' })).toBe('#DIV/0!');
    expect(orchard('=DSUM(A6:E12,"Profit",A1:A2)', { C7: '=1/0' })).toBe(225);
    expect(orchard('=DCOUNT(A6:E12,"Profit",A1:A2)', { E7: '=1/0' })).toBe(2);
  });

  it('gives the empty results of each function', () => {
    const none = { H1: 'Tree', H2: 'kiwi' };
    expect(orchard('=DSUM(A6:E12,"Profit",H1:H2)', none)).toBe(0);
    expect(orchard('=DMAX(A6:E12,"Profit",H1:H2)', none)).toBe(0);
    expect(orchard('=DPRODUCT(A6:E12,"Profit",H1:H2)', none)).toBe(0);
    expect(orchard('=DAVERAGE(A6:E12,"Profit",H1:H2)', none)).toBe('#DIV/0!');
    expect(orchard('=DVAR(A6:E12,"Profit",H1:H2)', none)).toBe('#DIV/0!');
    expect(orchard('=DGET(A6:E12,"Profit",H1:H2)', none)).toBe('#VALUE!');
  });

  it('compares headings as text', () => {
    expect(orchard('=DCOUNTA(A6:F12,"1",A1:A2)', { F6: 1, F7: 'x', F10: 'y', F11: 'z' })).toBe(2);
  });
});
