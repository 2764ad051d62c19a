import { expect, test } from 'vitest';
import { onOperation, refused } from './support.ts';

onOperation('create_file', ({ call, server, sheet }) => {
  test('[M1] answers with id, title, address and the first sub-sheet', async () => {
    const made = await call('create_file', { title: '预算 2026' });
    const { file_id, sheet_id } = made.data;
    expect(made).toEqual({
      code: 0,
      msg: 'success',
      data: {
        file_id: expect.stringMatching(/^doc_/),
        title: '预算 2026',
        url: `${server().url}/sheet/${file_id}`,
        sheet_id: expect.any(String),
      },
    });
    expect((await sheet('get_sheet_info', { file_id })).data.sheets).toEqual([
      { sheet_id, sheet_name: 'Sheet1', sheet_type: 'worksheet', row_count: 200, col_count: 26 },
    ]);
    expect((await sheet('get_sheet_info', { file_url: made.data.url })).code).toBe(0);
  });

  test('[M1] file_type is sheet, which is the default; two of one title are two', async () => {
    const one = await call('create_file', { title: 'Same', file_type: 'sheet' });
    const two = await call('create_file', { title: 'Same' });
    expect(one.data.file_id).not.toBe(two.data.file_id);
    expect(await call('create_file', { title: 'T', file_type: 'doc' })).toMatchObject({ code: 310001, data: {} });
  });

  test('[M1] a title has 1 to 255 characters', async () => {
    expect(await call('create_file', { title: '字'.repeat(255) })).toMatchObject({ code: 0 });
    expect(await call('create_file', { title: '字'.repeat(256) })).toEqual(
      refused(310001, 'title: must be at most 255 characters (got 256)'),
    );
    expect(await call('create_file', { title: '' })).toMatchObject({ code: 310001, data: {} });
    expect(await call('create_file', {})).toEqual(refused(310001, 'title: is required'));
  });
});
