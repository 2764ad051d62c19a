import { expect, test } from 'vitest';
import { onOperation, unknown } from './support.ts';

const region = { start_row: 0, start_col: 0, end_row: 1, end_col: 1 };

onOperation('copy_file', ({ call, create, info, server, share, sheet }) => {
  test('[M5] all content, a history of its own; they are two from then on', async () => {
    const file = await create('Plan');
    await sheet('set_range_value_by_csv', { ...file, csv_data: '1,=A1*2\n' });
    await sheet('merge_cell', { ...file, start_row: 4, start_col: 0, end_row: 5, end_col: 1 });
    await sheet('add_chart', { ...file, chart_type: 'CHART_PIE', data_range: region, drawing_id: 'c' });
    const made = await call('copy_file', { file_id: file.file_id });
    const { file_id } = made.data;
    expect(made).toEqual({
      code: 0,
      msg: 'success',
      data: {
        file_id: expect.stringMatching(/^doc_/),
        id: file_id,
        title: 'Plan (copy)',
        url: `${server().url}/sheet/${file_id}`,
      },
    });
    const copy = { file_id, sheet_id: file.sheet_id };
    const csv = async (one: object) =>
      (await sheet('get_cell_data', { ...one, ...region, return_csv: true })).data.csv_data;
    expect(await csv(copy)).toBe('1,2\n');
    expect(
      (await sheet('get_merged_cells', { ...copy, start_row: 0, start_col: 0, end_row: 9, end_col: 9 })).data
        .merged_cells,
    ).toEqual([`${file.sheet_id}$A5:B6`]);
    expect((await sheet('get_charts', copy)).data.charts[0].drawing_id).toBe('c');
    expect((await sheet('get_history', { file_id })).data.revisions).toEqual([]);
    await sheet('set_cell_value', { ...copy, row: 0, col: 0, value_type: 'NUMBER', number_value: 50 });
    expect([await csv(copy), await csv(file)]).toEqual(['50,100\n', '1,2\n']);
    expect((await info(file_id)).members).toHaveLength(1);
  });

  test('[M5] title as told; a viewer may copy and owns the copy, a stranger may not', async () => {
    const { file_id } = await create('Plan');
    const user = await server().newUser();
    expect(await call('copy_file', { file_id }, user)).toEqual(unknown(file_id));
    await share(file_id, user, 'viewer');
    const { data } = await call('copy_file', { file_id, title: 'Mine' }, user);
    expect(data.title).toBe('Mine');
    expect((await info(data.file_id, user)).file).toMatchObject({
      title: 'Mine',
      role: 'owner',
      owner_id: user.userId,
    });
    expect(await call('query_file_info', { file_id: data.file_id })).toEqual(unknown(data.file_id));
  });

  test('[M5] the title of a copy is never too long', async () => {
    const { file_id } = await create('字'.repeat(255));
    expect((await call('copy_file', { file_id })).data.title).toBe(`${'字'.repeat(248)} (copy)`);
  });
});
