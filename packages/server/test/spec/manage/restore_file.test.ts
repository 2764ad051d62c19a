import { expect, test } from 'vitest';
import { nothing, onOperation, refused } from './support.ts';

onOperation('restore_file', ({ call, create, info, server, share, sheet }) => {
  test('[M6] brings back content, history and members', async () => {
    const file = await create('Kept');
    const user = await server().newUser();
    await share(file.file_id, user, 'viewer');
    await sheet('set_range_value_by_csv', { ...file, csv_data: 'x' });
    await call('delete_file', { file_id: file.file_id });
    expect(await call('restore_file', { file_id: file.file_id })).toEqual(nothing);
    expect(await info(file.file_id, user)).toMatchObject({ file: { title: 'Kept', version: 2, role: 'viewer' } });
    expect(
      (await sheet('get_cell_data', { ...file, start_row: 0, start_col: 0, end_row: 0, end_col: 0, return_csv: true }))
        .data.csv_data,
    ).toBe('x\n');
    expect(await call('restore_file', { file_id: file.file_id })).toEqual(nothing);
  });

  test('[M6] only the owner restores; to others there is no such document', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    await share(file_id, user, 'editor');
    await call('delete_file', { file_id });
    const none = refused(310002, `file_id: there is no document "${file_id}" of yours`);
    expect(await call('restore_file', { file_id }, user)).toEqual(none);
    expect(await call('restore_file', { file_id }, await server().newUser())).toEqual(none);
    expect(await call('restore_file', { file_id: 'doc_none' })).toEqual(
      refused(310002, 'file_id: there is no document "doc_none" of yours'),
    );
  });
});
