import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { onOperation, textOf, unknown } from './support.ts';

onOperation('export_file', ({ call, create, server, share, sheet }) => {
  const written = async (csv_data: string, title = 'Out') => {
    const file = await create(title);
    expect(await sheet('set_range_value_by_csv', { ...file, csv_data })).toMatchObject({ code: 0 });
    return file;
  };

  test('[M12] csv: computed values of one sub-sheet, the first when omitted', async () => {
    const { file_id } = await written('name,price\r\n"pear, ripe",3\nleek,=B2*2\n', 'Price: list');
    const out = await call('export_file', { file_id, format: 'csv', safe: false });
    expect(out.data).toEqual({
      file_name: 'Price_ list.csv',
      file_size: 33,
      task_id: expect.stringMatching(/^doc_/),
      content: expect.any(String),
    });
    expect(textOf(out)).toBe('name,price\n"pear, ripe",3\nleek,6\n');
    const { sheet_id } = (await sheet('add_sheet', { file_id })).data;
    await sheet('set_range_value_by_csv', { file_id, sheet_id, csv_data: 'two' });
    expect(textOf(await call('export_file', { file_id, format: 'csv', sheet_id }))).toBe('two\n');
    expect(await call('export_file', { file_id, format: 'csv', sheet_id: 'nope' })).toMatchObject({
      code: 310003,
      data: {},
    });
  });

  test('[M12][T57] safe csv, the default, makes texts harmless that a program would run; raw csv leaves them', async () => {
    const file = await create('Danger');
    const texts = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '\rx', '＝1', '-5', 'plain', '=a,"b'];
    await sheet('set_range_value', {
      ...file,
      values: texts.map((string_value, row) => ({ row, col: 0, value_type: 'STRING', string_value })),
    });
    const csv = async (more: Record<string, boolean>) =>
      textOf(await call('export_file', { file_id: file.file_id, format: 'csv', ...more }));
    const safe = "'=1+1\n'+cmd\n'-cmd\n'@SUM(A1)\n'\tx\n\"'\rx\"\n'＝1\n-5\nplain\n\"'=a,\"\"b\"\n";
    expect([await csv({}), await csv({ safe: true })]).toEqual([safe, safe]);
    expect(await csv({ safe: false })).toBe('=1+1\n+cmd\n-cmd\n@SUM(A1)\n\tx\n"\rx"\n＝1\n-5\nplain\n"=a,""b"\n');
  });

  test('[M12] xlsx: a workbook with every sub-sheet', async () => {
    const { file_id } = await written('1,=A1*2\n', 'Book');
    await sheet('add_sheet', { file_id, name: 'Two' });
    const out = await call('export_file', { file_id, format: 'xlsx' });
    expect(out.data.file_name).toBe('Book.xlsx');
    const parts = unzipSync(Buffer.from(out.data.content as string, 'base64'));
    expect(
      [...strFromU8(parts['xl/workbook.xml']!).matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name),
    ).toEqual(['Sheet1', 'Two']);
    expect(strFromU8(parts['xl/worksheets/sheet1.xml']!)).toContain('<f>A1*2</f>');
    expect(await call('export_file', { file_id, format: 'pdf' })).toMatchObject({ code: 310001, data: {} });
  });

  test('[M12] past 256 KiB, or when asked, a link for reading, good for an hour', async () => {
    const csv = Array.from({ length: 20_000 }, (_, i) => `row ${i},${i}\n`).join('');
    const big = await written(csv);
    const out = (await call('export_file', { file_id: big.file_id, format: 'csv' })).data;
    expect([out.content, out.file_size]).toEqual([undefined, csv.length]);
    expect(await (await fetch(out.url)).text()).toBe(csv);
    expect(out.expired_time * 1000 - Date.now()).toBeGreaterThan(55 * 60_000);
    const small = await written('a,b\n');
    const { url, content } = (await call('export_file', { file_id: small.file_id, format: 'csv', as_link: true })).data;
    expect([content, await (await fetch(url)).text()]).toEqual([undefined, 'a,b\n']);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
  });

  test('[M12] a viewer exports, a stranger sees no document', async () => {
    const { file_id } = await written('a,b\n');
    const user = await server().newUser();
    expect(await call('export_file', { file_id, format: 'xlsx' }, user)).toEqual(unknown(file_id));
    await share(file_id, user, 'viewer');
    expect(await call('export_file', { file_id, format: 'csv' }, user)).toMatchObject({ code: 0 });
    expect((await call('export_file', { file_id }, user)).data.file_name).toMatch(/\.xlsx$/);
  });
});
