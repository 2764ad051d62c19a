import { describe, expect, it } from 'vitest';
import { format, isDatePattern, isValidPattern, textInFormat } from '../../src/base/number-format.ts';
import { cellErrors } from '../../src/base/values.ts';

describe('format', () => {
  it.each([
    [1234.5, 'General', '1234.5'],
    [123456789012, 'General', '1.23457E+11'],
    [-1 / 3, 'General', '-0.333333333'],
    [0, 'General', '0'],
    [1234.567, '#,##0.00', '1,234.57'],
    [-1234.567, '#,##0.00_);(#,##0.00)', '(1,234.57)'],
    [1234.567, '#,##0.00_);(#,##0.00)', '1,234.57 '],
    [-5, '[Red]-0', '--5'],
    [5, '[Red]0', '5'],
    [-5, '0;[Red]0', '5'],
    [0, '0;-0;"zero"', 'zero'],
    [0.5, '0%', '50%'],
    [0.125, '0.0%', '12.5%'],
    [12345678, '0.0,,', '12.3'],
    [1.005, '0.00', '1.01'],
    [0.75, '# ?/?', ' 3/4'],
    [2.3333, '# ??/??', '2  1/3 '],
    [3.5, '0 0/8', '3 4/8'],
    [123456, '0.00E+00', '1.23E+05'],
    [12345, '##0.0E+0', '12.3E+3'],
    [12, '000', '012'],
    [5551234, '[<=9999999]###-####;(###) ###-####', '555-1234'],
    [2125551234, '[<=9999999]###-####;(###) ###-####', '(212) 555-1234'],
    [7, '"No. "0', 'No. 7'],
    [7, '0\\x', '7x'],
    [1, '0*-', '1'],
    [1234.5, '[$€-407] #,##0.00', '€ 1,234.50'],
    [-0.4, '0', '0'],
  ])('%s as %s', (value, pattern, shown) => {
    expect(format(value, pattern)).toBe(shown);
  });

  it.each([
    [0, 'yyyy-mm-dd', '1900-01-00'],
    [1, 'dddd', 'Sunday'],
    [59, 'd mmm yyyy', '28 Feb 1900'],
    [60, 'd mmm yyyy', '29 Feb 1900'],
    [61, 'd mmm yyyy', '1 Mar 1900'],
    [45000, 'm/d/yyyy', '3/15/2023'],
    [45000.75, 'h:mm AM/PM', '6:00 PM'],
    [45000.75, 'hh:mm:ss', '18:00:00'],
    [1.5, '[h]:mm', '36:00'],
    [0.5 / 86_400 + 1 / 1440, 'mm:ss.0', '01:00.5'],
    [45000, 'mmmmm', 'M'],
    [45000, '[$-804]aaaa', '星期三'],
    [45000, 'yyyy"年"m"月"d"日"', '2023年3月15日'],
    [-1, 'yyyy', '########'],
    [2_958_466, 'yyyy', '########'],
  ])('date %s as %s', (value, pattern, shown) => {
    expect(format(value, pattern)).toBe(shown);
  });

  it.each([
    ['abc', '0.00', 'abc'],
    ['abc', '0;0;0;"<"@">"', '<abc>'],
    ['abc', '@" "@', 'abc abc'],
    [true, '0.00', 'TRUE'],
    [null, '0.00', ''],
    [cellErrors.na, '0.00', '#N/A'],
    [5, '', '5'],
    [5, '"open', '5'],
  ])('%s as %s', (value, pattern, shown) => {
    expect(format(value, pattern)).toBe(shown);
  });

  it.each([
    [45000, '[DBNum1]General', '四万五千'],
    [45000, '[DBNum1]0', '四五〇〇〇'],
    [10, '[DBNum1]General', '十'],
    [10203, '[DBNum1]General', '一万〇二百〇三'],
    [10203, '[DBNum2]General', '壹万零贰佰零叁'],
    [100000000, '[DBNum1]General', '一亿'],
    [12, '[DBNum3]0', '１２'],
  ])('%s in Chinese as %s', (value, pattern, shown) => {
    expect(format(value, pattern)).toBe(shown);
  });
});

describe('codes', () => {
  it.each([
    ['yyyy-mm-dd', true],
    ['h:mm', true],
    ['[h]:mm', true],
    ['0.00', false],
    ['General', false],
    ['"day" 0', false],
    ['@', false],
    ['"open', false],
  ])('%s is a date: %s', (pattern, expected) => {
    expect(isDatePattern(pattern)).toBe(expected);
  });

  it('refuses broken codes', () => {
    expect([isValidPattern('0.00'), isValidPattern('"open'), isValidPattern('mm###')]).toEqual([true, false, false]);
  });

  it('gives TEXT an error where nothing can be shown', () => {
    expect(textInFormat(-1, 'yyyy')).toBe(cellErrors.value);
    expect(textInFormat(1, 'mm###')).toBe(cellErrors.value);
    expect(textInFormat(null, '0.0')).toBe('0.0');
    expect(textInFormat(7, '')).toBe('');
  });
});

describe('[finding T17] format codes that Excel reads in its own way', () => {
  it.each([
    [12345, '0.00e+00', '1.23E+04'],
    [0.75, 'h a/p', '6 p'],
    [0.25, 'h:mm a/p', '6:00 a'],
    [0.75, 'h A/P', '6 P'],
    [0.5, '0%%', '5000%%'],
    [-0.5, '0%%;(0%%)', '(5000%%)'],
    [0.5, '0%', '50%'],
    [0.5, '|?/?', '|1/2'],
    [-1.5, '|?/?', '-|3/2'],
    [1.5, '"a "?/?', 'a 3/2'],
    [1.5, '# ?/?', '1 1/2'],
    [12345.67, '0.0,0', '12,345.67'],
    [12345.67, '0.,0', '12,345.7'],
    [12345.67, '0.0,', '12.3'],
    [44000, '[$-411]ggge"年"m"月"d"日"', '令和2年6月18日'],
    [43585, '[$-411]ge.m.d', 'H31.4.30'],
    [43586, '[$-411]gge.m.d', '令1.5.1'],
    [43586, '[$-ja-JP-x-gannen]ggge"年"', '令和元年'],
    [44000, '[$-404]e/m/d', '109/6/18'],
    [44000, 'e', '2020'],
  ])('%s as %s', (value, pattern, shown) => {
    expect(format(value, pattern)).toBe(shown);
  });
});
