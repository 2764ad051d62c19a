import { expect, test } from 'vitest';
import { looksOf } from './exported.ts';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('set_cell_style', ({ call, server, sheet }) => {
  const unset = { background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' };
  const styleOf = async (s: Awaited<ReturnType<typeof sheet>>, cell: string) => {
    const { row: _, col: __, ...style } = (await s.ok('get_cell_style', r4(cell))).cells[0];
    return style;
  };

  test('[S22] sets every property of a region, and answers {}', async () => {
    const s = await sheet('x\n');
    const format = {
      bold: true,
      italic: true,
      strike_through: true,
      underline: 'single',
      font_size: 14,
      font_color: 'FF0000FF',
      font_family: 'Arial',
      bg_color: 'FFFFFF00',
      horizontal_align: 'center',
      vertical_align: 'top',
      wrap_text: true,
      number_format_pattern: '0.0%',
    };
    expect(await s.call('set_cell_style', { ...r4('A1:B2'), format })).toEqual(nothing);
    expect(await styleOf(s, 'B2')).toEqual({
      background_color: 'FFFFFF00',
      font_color: 'FF0000FF',
      font_size: 14,
      font_family: 'Arial',
      number_format: '0.0%',
    });
    expect(await styleOf(s, 'C1')).toEqual(unset);
    expect((await looksOf(server(), s, 'A1'))['A1']).toEqual({
      font: '<font><b/><i/><strike/><u val="single"/><sz val="14"/><color rgb="FF0000FF"/><name val="Arial"/><family val="2"/></font>',
      fill: '<fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/><bgColor indexed="64"/></patternFill></fill>',
      border: '<border><left/><right/><top/><bottom/><diagonal/></border>',
      alignment: 'horizontal="center" vertical="top" wrapText="1"',
    });
  });

  test('[S21] colors: with or without #, 6 or 8 digits, told as 8 upper-case digits', async () => {
    const s = await sheet();
    for (const [given, told] of [
      ['80ff0000', '80FF0000'],
      ['#abcdef', 'FFABCDEF'],
      ['#12345678', '12345678'],
      ['00ff00', 'FF00FF00'],
    ]) {
      await s.ok('set_cell_style', { ...r4('A1'), format: { bg_color: given, font_color: given } });
      expect(await styleOf(s, 'A1')).toMatchObject({ background_color: told, font_color: told });
    }
    for (const wrong of ['red', '#12345', 'GGGGGG', '1234567']) {
      expect(await s.call('set_cell_style', { ...r4('A1'), format: { bg_color: wrong } })).toEqual(
        refused(310001, `format.bg_color: must be 6 or 8 hexadecimal digits (got "${wrong}")`),
      );
      expect(await s.call('set_cell_style', { ...r4('A1'), format: { font_color: wrong } })).toEqual(
        refused(310001, `format.font_color: must be 6 or 8 hexadecimal digits (got "${wrong}")`),
      );
    }
  });

  test('[S22] properties not sent stay; neither format nor is_clear changes nothing', async () => {
    const s = await sheet('x\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 14, bold: true, horizontal_align: 'right' } });
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_family: 'Arial' } });
    expect(await s.call('set_cell_style', r4('A1'))).toEqual(nothing);
    expect(await s.call('set_cell_style', { ...r4('A1'), format: {} })).toEqual(nothing);
    expect(await styleOf(s, 'A1')).toEqual({ ...unset, font_size: 14, font_family: 'Arial' });
    expect((await looksOf(server(), s, 'A1'))['A1']).toMatchObject({
      font: '<font><b/><sz val="14"/><name val="Arial"/><family val="2"/></font>',
      alignment: 'horizontal="right"',
    });
  });

  test('[S22] false, "" and 0 clear the one property they are sent for', async () => {
    const s = await sheet('x\n');
    const all = {
      bold: true,
      italic: true,
      strike_through: true,
      wrap_text: true,
      underline: 'double',
      font_size: 14,
      font_color: 'FF0000FF',
      font_family: 'Arial',
      bg_color: 'FFFFFF00',
      horizontal_align: 'center',
      vertical_align: 'top',
      number_format_pattern: '0.0%',
    };
    await s.ok('set_cell_style', { ...r4('A1'), format: all });
    await s.ok('set_cell_style', {
      ...r4('A1'),
      format: { bold: false, font_size: 0, bg_color: '', horizontal_align: '' },
    });
    expect(await styleOf(s, 'A1')).toEqual({
      background_color: '',
      font_color: 'FF0000FF',
      font_size: 0,
      font_family: 'Arial',
      number_format: '0.0%',
    });
    expect((await looksOf(server(), s, 'A1'))['A1']).toMatchObject({
      font: '<font><i/><strike/><u val="double"/><sz val="11"/><color rgb="FF0000FF"/><name val="Arial"/><family val="2"/></font>',
      alignment: 'vertical="top" wrapText="1"',
    });
    await s.ok('set_cell_style', {
      ...r4('A1'),
      format: {
        italic: false,
        strike_through: false,
        wrap_text: false,
        underline: '',
        font_color: '',
        font_family: '',
        vertical_align: '',
        number_format_pattern: '',
      },
    });
    expect(await styleOf(s, 'A1')).toEqual(unset);
    expect((await looksOf(server(), s, 'A1'))['A1']).toMatchObject({
      font: '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
      alignment: '',
    });
  });

  test('[S22] is_clear clears all styles of the region and ignores format; contents stay', async () => {
    const s = await sheet('x,y\n');
    await s.ok('set_cell_style', { ...r4('A1:B1'), format: { font_size: 14, bg_color: 'FFFFFF00' } });
    await s.ok('set_cell_style', { ...r4('A1'), is_clear: true, format: { font_size: 30 } });
    expect(await styleOf(s, 'A1')).toEqual(unset);
    expect((await styleOf(s, 'B1')).font_size).toBe(14);
    await s.ok('set_cell_style', { ...r4('B1'), is_clear: false, format: { font_size: 30 } });
    expect((await styleOf(s, 'B1')).font_size).toBe(30);
    expect(await s.csv('A1:B1')).toBe('x,y\n');
  });

  test('[S22] is_clear takes number formats and borders too', async () => {
    const s = await sheet('0.5,0.5\n');
    await s.ok('set_cell_style', { ...r4('A1:B1'), format: { bold: true, number_format_pattern: '0%' } });
    await s.ok('set_border', { ...r4('A1:B1'), border_positions: [0, 1, 2, 3, 4] });
    await s.ok('set_cell_style', { ...r4('A1'), is_clear: true });
    expect(await s.ok('get_view', r4('A1:B1'))).toMatchObject({
      cells: [
        [0, 0, '0.5', 1],
        [0, 1, '50%', 1],
      ],
      styles: [[1, 0, 0, 0]],
      looks: [{ bold: true, borderTop: 'thin:000000', borderBottom: 'thin:000000', borderRight: 'thin:000000' }],
    });
  });

  test('[S23] every alignment and underline is accepted and kept', async () => {
    const s = await sheet('1,2,3,4,5,6\n1,2,3,4\n1,2,3,4,5\n');
    const put = (cell: string, format: Record<string, string>) => s.ok('set_cell_style', { ...r4(cell), format });
    const across = ['general', 'left', 'center', 'right', 'fill', 'justify'];
    const upright = ['top', 'center', 'bottom', 'justify'];
    const underlines = ['none', 'single', 'double', 'single_accounting', 'double_accounting'];
    for (const [i, one] of across.entries()) await put(`${'ABCDEF'[i]}1`, { horizontal_align: one });
    for (const [i, one] of upright.entries()) await put(`${'ABCDEF'[i]}2`, { vertical_align: one });
    for (const [i, one] of underlines.entries()) await put(`${'ABCDEF'[i]}3`, { underline: one });
    const looks = await looksOf(server(), s, 'A1:F3');
    expect([...'ABCDEF'].map((col) => looks[`${col}1`]!.alignment)).toEqual([
      'horizontal="general"',
      'horizontal="left"',
      'horizontal="center"',
      'horizontal="right"',
      'horizontal="fill"',
      'horizontal="justify"',
    ]);
    expect([...'ABCD'].map((col) => looks[`${col}2`]!.alignment)).toEqual([
      'vertical="top"',
      'vertical="center"',
      'vertical="bottom"',
      'vertical="justify"',
    ]);
    expect([...'ABCDE'].map((col) => /<u val="(\w+)"/.exec(looks[`${col}3`]!.font)?.[1])).toEqual([
      undefined,
      'single',
      'double',
      'singleAccounting',
      'doubleAccounting',
    ]);
    for (const format of [{ horizontal_align: 'middle' }, { vertical_align: 'left' }, { underline: 'wavy' }]) {
      expect(await s.call('set_cell_style', { ...r4('A1'), format }), JSON.stringify(format)).toMatchObject({
        code: 310001,
        data: {},
      });
    }
  });

  test('[S23] a number format changes what is shown; one that cannot be read is 310001', async () => {
    const s = await sheet('0.5\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { number_format_pattern: '0%' } });
    expect(await call('find', { file_id: s.file_id, search_term: '50%' })).toMatchObject({
      data: { total_results: 1 },
    });
    expect(await s.call('set_cell_style', { ...r4('A1'), format: { number_format_pattern: '[$-' } })).toEqual(
      refused(310001, 'format.number_format_pattern: is not a number format (got "[$-")'),
    );
    expect((await styleOf(s, 'A1')).number_format).toBe('0%');
  });

  test('[S22] font_size: 1 to 409 points', async () => {
    const s = await sheet();
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 409 } });
    expect(await s.call('set_cell_style', { ...r4('A1'), format: { font_size: 410 } })).toEqual(
      refused(310001, 'format.font_size: must be at most 409 (got 410)'),
    );
    expect(await s.call('set_cell_style', { ...r4('A1'), format: { font_size: -1 } })).toEqual(
      refused(310001, 'format.font_size: must be at least 0 (got -1)'),
    );
    expect((await styleOf(s, 'A1')).font_size).toBe(409);
  });

  test('[S13] an end before its start is 310001', async () => {
    const s = await sheet();
    expect(
      await s.call('set_cell_style', { start_row: 1, start_col: 0, end_row: 0, end_col: 0, format: { bold: true } }),
    ).toEqual(refused(310001, 'end_row: must be at least start_row, 1 (got 0)'));
  });
});
