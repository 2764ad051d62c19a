import { describe, expect, it } from 'vitest';
import { criterion } from '../../src/base/criteria.ts';
import { cellErrors, type Scalar } from '../../src/base/values.ts';
import { wildcardFind, wildcardMatcher } from '../../src/base/wildcards.ts';

const cells: readonly Scalar[] = [5, '5', 6, 'apple', 'APRICOT', '', null, true, false, cellErrors.na, 'a*c', '~', -2];

/** The cells of the list that meet a criterion. */
function met(source: Scalar): readonly Scalar[] {
  const { test } = criterion(source);
  return cells.filter((cell) => test(cell));
}

describe('criteria', () => {
  it.each<[Scalar, readonly Scalar[]]>([
    [5, [5, '5']],
    ['5', [5, '5']],
    ['=5', [5, '5']],
    ['= 5', [5, '5']],
    ['<>5', ['5', 6, 'apple', 'APRICOT', '', null, true, false, cellErrors.na, 'a*c', '~', -2]],
    ['>5', [6]],
    ['>=5', [5, 6]],
    ['<0', [-2]],
    ['<=500%', [5, -2]],
    ['Apple', ['apple']],
    ['ap*', ['apple', 'APRICOT']],
    ['a?????t', ['APRICOT']],
    ['a~*c', ['a*c']],
    ['~~', ['~']],
    ['*', ['5', 'apple', 'APRICOT', '', 'a*c', '~']],
    ['?*', ['5', 'apple', 'APRICOT', 'a*c', '~']],
    ['<>a*', [5, '5', 6, '', null, true, false, cellErrors.na, '~', -2]],
    ['>apple', ['APRICOT', '~']],
    ['', ['', null]],
    ['=', [null]],
    ['<>', [5, '5', 6, 'apple', 'APRICOT', '', true, false, cellErrors.na, 'a*c', '~', -2]],
    [true, [true]],
    ['false', [false]],
    [cellErrors.na, [cellErrors.na]],
    ['#n/a', [cellErrors.na]],
    [null, []],
  ])('%s', (source, expected) => {
    expect(met(source)).toEqual(expected);
  });
});

describe('wildcards', () => {
  it('match whole texts in any case', () => {
    const test = wildcardMatcher('*b?d*');
    expect([test('abcd'), test('ABXDE'), test('bd'), test('')]).toEqual([true, true, false, false]);
  });

  it('find the first place', () => {
    expect(wildcardFind('b?d', 'xbbxd', 0)).toBe(2);
    expect(wildcardFind('~?', 'what?')).toBe(4);
    expect(wildcardFind('z*', 'abc')).toBe(-1);
  });

  it('take no more time than pattern times text', () => {
    expect(wildcardMatcher('*a'.repeat(2000))('a'.repeat(20_000) + 'b')).toBe(false);
  });
});
