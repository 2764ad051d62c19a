import { describe, expect, test } from 'vitest';
import { parseDeclarations, styleFromCss, parseRules } from '../src/features/sheets/grid/parse-css-style.ts';
import { pasteCalls, rectanglesOf } from '../src/features/sheets/grid/paste-calls.ts';
import { toA1Formula } from '../src/features/sheets/grid/relative-formula.ts';
import type { PastedCell } from '../src/features/sheets/grid/pasted-table.ts';
import { isStyledPlainText, looksLikeMarkdown } from '../src/features/notes/detect-markdown.ts';

describe('[finding P7] cells that other programs copied', () => {
  test('declarations, with semicolons in quotes; rules of one class or element', () => {
    expect([...parseDeclarations('a:b; mso-number-format:"0\\;0"; COLOR : red')]).toEqual([
      ['a', 'b'],
      ['mso-number-format', '"0\\;0"'],
      ['color', 'red'],
    ]);
    expect([...parseRules('.a{x:1}.b{y:2}td{z:3}').keys()]).toEqual(['.a', '.b', 'td']);
    expect([...parseRules('<!--td {x:1} .xl65\n{y:2;}\n@page {z:3} a b {c:d}-->').keys()]).toEqual([
      'td',
      '.xl65',
      'b',
    ]);
  });

  test.each([
    ['font-weight:700;font-style:italic', { bold: true, italic: true }],
    ['font-weight:400;color:black;background:white', {}],
    ['color:rgb(255, 0, 16);background-color:#abc', { font_color: 'FF0010', bg_color: 'AABBCC' }],
    ['text-decoration:underline line-through', { underline: 'single', strike_through: true }],
    ['font-size:16px;font-family:"Courier New", monospace', { font_size: 12, font_family: 'Courier New' }],
    ['mso-number-format:"\\#\\,\\#\\#0\\.00"', { number_format_pattern: '#,##0.00' }],
    ['mso-number-format:Percent', { number_format_pattern: '0.00%' }],
    ['mso-number-format:General;vertical-align:bottom', {}],
    [
      'text-align:center;vertical-align:middle;white-space:normal',
      { horizontal_align: 'center', vertical_align: 'center', wrap_text: true },
    ],
  ])('%s', (css, format) => {
    expect(styleFromCss(parseDeclarations(css)).format).toEqual(format);
  });

  test('lines: style by width and kind, color by value or the usual one', () => {
    expect(
      styleFromCss(parseDeclarations('border:.5pt solid windowtext;border-top:2.0pt double #00F;border-left:none'))
        .lines,
    ).toEqual({
      top: { style: 6, color: '0000FF' },
      bottom: { style: 1, color: '000000' },
      right: { style: 1, color: '000000' },
    });
  });

  test.each([
    ['=R[0]C[-1]*2', 1, 2, '=B2*2'],
    ['=SUM(R[-3]C[0]:R[-1]C[0])', 9, 0, '=SUM(A7:A9)'],
    ['=R1C1&"R[1]C[1]"&RC[1]', 4, 0, '=$A$1&"R[1]C[1]"&B5'],
    ["='My sheet'!R[0]C[0]+Sheet2!R2C[1]", 0, 0, "='My sheet'!A1+Sheet2!B$2"],
    ['=ROUND(R[0]C[1],2)+RC2', 0, 0, '=ROUND(B1,2)+$B1'],
    ['=R[-1]C[0]', 0, 0, undefined],
  ])('%s in row %i, column %i', (formula, row, col, written) => {
    expect(toA1Formula(formula, row, col)).toBe(written);
  });

  test('cells that say the same are few rectangles', () => {
    const found = rectanglesOf(
      ['aab', 'aab', 'a.b'].map((line) => [...line]),
      (one) => (one === '.' ? '' : one),
    );
    const told = found.map(({ key, range }) => `${key} ${range.top},${range.left}-${range.bottom},${range.right}`);
    expect(told.toSorted()).toEqual(['a 0,0-1,1', 'a 2,0-2,0', 'b 0,2-2,2']);
  });

  test('looks come before what is typed, merges and lines after it; a merge looks the same all over', () => {
    const cell = (text: string, css = '', more: Partial<PastedCell> = {}): PastedCell => ({
      text,
      look: styleFromCss(parseDeclarations(css)),
      ...more,
    });
    const calls = pasteCalls(
      {
        rows: [
          [cell('0042', 'mso-number-format:"\\@"'), cell('')],
          [cell('3', 'border:1px solid red', { formula: '=R[-1]C[0]' }), cell('1/1/2024', '', { number: '45292' })],
        ],
        merges: [{ top: 0, left: 0, bottom: 0, right: 1 }],
      },
      'tab',
      4,
      2,
    );
    expect(calls.map(({ tool }) => tool)).toEqual(['set_cell_style', 'enter_cells', 'merge_cell', 'set_border']);
    expect(calls[0]!.arguments).toMatchObject({ start_row: 4, start_col: 2, end_row: 4, end_col: 3 });
    expect(calls[1]!.arguments['rows']).toEqual([
      ['0042', ''],
      ['=C5', '1/1/2024'],
    ]);
    expect(calls[3]!.arguments).toMatchObject({
      border_positions: [0, 1, 2, 3],
      border_style: 1,
      border_color: 'FF0000',
    });
  });
});

describe('[finding P7] whether a text is Markdown', () => {
  test.each([
    '# Heading',
    '- one\n- two',
    '1. one\n2. two',
    '- [ ] open',
    '```js',
    '> said',
    'a **b** c',
    '[a](https://b.c/)',
    'a | b\n---|---',
    'use `x`',
  ])('%j is', (text) => expect(looksLikeMarkdown(text)).toBe(true));
  test.each(['', 'plain', '- one', '2 * 3 * 4', '#hashtag', 'a_b_c', 'costs > 3', 'a[0](b)', '1. Mai'])(
    '%j is not',
    (text) => expect(looksLikeMarkdown(text)).toBe(false),
  );
  test('HTML that only colors letters', () => {
    expect(isStyledPlainText('<meta charset="utf-8"><div style="color:red"><span>a</span><br></div>')).toBe(true);
    expect(isStyledPlainText('<p>a</p>')).toBe(false);
  });
});
