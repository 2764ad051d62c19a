import { expect, test } from 'vitest';
import { onSurface } from '@sheaf/tools/testing/test-server.ts';
import { at, newSheet } from './support.ts';

onSurface('sheet', 'formula bombs', (call, server) => {
  test('[S130][T55] a formula out of bounds by itself is a cell error', async () => {
    const s = await newSheet(call, server());
    for (const formula of [
      '=REPT("x",1000000000)',
      '=SEQUENCE(1048576,16384)',
      '=LEN(REPT(REPT("x",32767),32767))',
      '=MAKEARRAY(1000000,1000,LAMBDA(a,b,a))',
      '=FACT(171)',
      '=1E308*10',
    ]) {
      await s.ok('set_cell_value', { ...at('A1'), value_type: 'FORMULA', formula });
      expect((await s.cells('A1'))[0], formula).toMatchObject({ value_type: 'ERROR', formula });
    }
  });

  test(
    '[S131][T55] a call that calculates too much is 310010, the document stays, and others are answered meanwhile',
    { timeout: 60_000 },
    async () => {
      const s = await newSheet(call, server(), `${Array.from({ length: 20_000 }, (_, i) => i).join('\n')}\n`);
      const order: string[] = [];
      const heavy = s
        .call('set_range_value_by_csv', {
          start_col: 1,
          csv_data: `${Array.from({ length: 4000 }, (_, i) => `"=SUMPRODUCT((A$1:A$20000*${i}>7)*1)"`).join('\n')}\n`,
        })
        .then((answer) => {
          order.push('heavy');
          return answer;
        });
      const me = server()
        .call('http', 'account', 'get_me', {})
        .then(() => order.push('other'));
      expect(await heavy).toMatchObject({ code: 310010, data: {} });
      await me;
      expect(order).toEqual(['other', 'heavy']);
      expect(await s.csv('A1:C2')).toBe('0,,\n1,,\n');
      expect(await call('validate_file_data', { file_id: s.file_id })).toMatchObject({
        data: { is_valid: true, checked_version: 2 },
      });
      await s.ok('set_cell_value', { ...at('B1'), value_type: 'FORMULA', formula: '=SUM(A:A)' });
      expect((await s.cells('B1'))[0]!.number_value).toBe(199_990_000);
    },
  );

  test('[S132][T55] nested, endless and circular formulas end', async () => {
    const s = await newSheet(call, server());
    const put = (formula: string) => s.call('set_cell_value', { ...at('A1'), value_type: 'FORMULA', formula });
    expect(await put(`=${'('.repeat(4000)}1${')'.repeat(4000)}`)).toMatchObject({ code: 310009, data: {} });
    expect(await put(`=${'1+'.repeat(4000)}1`)).toMatchObject({ code: 0 });
    expect((await s.cells('A1'))[0]!.number_value).toBe(4001);
    expect(await put('=A1+1')).toMatchObject({ code: 0 });
    expect((await s.cells('A1'))[0]).toMatchObject({ value_type: 'ERROR' });
    const endless = await put('=LET(f,LAMBDA(g,x,g(g,x+1)),f(f,1))');
    expect([0, 310010]).toContain(endless.code);
    expect(await put('=1+1')).toMatchObject({ code: 0 });
    expect(await s.csv('A1')).toBe('2\n');
  });

  test('[S133][T56] formulas reach no network, file or host', async () => {
    const s = await newSheet(call, server());
    for (const formula of [
      '=WEBSERVICE("http://127.0.0.1:1/")',
      '=webservice("http://127.0.0.1:1/")',
      '=IMPORTXML("http://127.0.0.1:1/","//a")',
      '=CALL("kernel32","x")',
      '=IMPORTDATA("file:///etc/passwd")',
    ]) {
      await s.ok('set_cell_value', { ...at('A1'), value_type: 'FORMULA', formula });
      expect((await s.cells('A1'))[0]!.value_type, formula).toBe('ERROR');
    }
  });

  test(
    '[T88] conditional formats and validation spend the budget of the call that asks for them, and reach nothing outside',
    { timeout: 60_000 },
    async () => {
      const s = await newSheet(call, server(), `${Array.from({ length: 2000 }, (_, i) => i).join('\n')}\n`);
      const heavy = '=SUMPRODUCT(SEQUENCE(1000,1000)*A1)>-1';
      await s.ok('set_conditional_format', {
        ranges: ['A1:A2000'],
        kind: 'formula',
        values: [heavy],
        style: { bold: true },
      });
      const region = { start_row: 0, start_col: 0, end_row: 1999, end_col: 0 };
      expect(await s.call('get_computed_formats', region)).toMatchObject({ code: 310010, data: {} });
      await s.ok('set_validation', { ranges: ['C1:C5000'], kind: 'custom', values: [heavy] });
      const rows = Array.from({ length: 3000 }, () => [1]);
      const written = await s.call('append_rows', { range: 'C:C', rows, enforce_validation: true });
      expect(written).toMatchObject({ code: 310010, data: {} });
      expect(await s.csv('A1:C2')).toBe('0,,\n1,,\n');
      // What a rule says of another document or of the network is an error, and an error is not true.
      for (const [at, outside] of ['=[other.xlsx]Sheet1!A1', '=WEBSERVICE("http://127.0.0.1:1/")="x"'].entries()) {
        const ranges = [`E${at + 1}`];
        const made = await s.call('set_conditional_format', {
          ranges,
          kind: 'formula',
          values: [outside],
          style: { italic: true },
        });
        expect([0, 310009]).toContain(made.code);
      }
      const beside = { start_row: 0, start_col: 4, end_row: 9, end_col: 4 };
      expect(await s.ok('get_computed_formats', beside)).toEqual({ cells: [] });
    },
  );
});
