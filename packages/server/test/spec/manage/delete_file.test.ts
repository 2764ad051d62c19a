import { expect, test } from 'vitest';
import { nothing, onOperation, refused, unknown } from './support.ts';

onOperation('delete_file', ({ call, create, server, share, sheet }) => {
  test('[M6] a deleted document is unknown to everybody, also to the tools', async () => {
    const file = await create();
    const user = await server().newUser();
    await share(file.file_id, user, 'editor');
    expect(await call('delete_file', { file_id: file.file_id })).toEqual(nothing);
    const missing = unknown(file.file_id);
    expect(await call('query_file_info', { file_id: file.file_id })).toEqual(missing);
    expect(await sheet('get_sheet_info', { file_id: file.file_id })).toEqual(missing);
    expect(await sheet('set_range_value_by_csv', { ...file, csv_data: 'x' }, user)).toEqual(missing);
    expect(await call('delete_file', { file_id: file.file_id })).toEqual(missing);
    expect((await call('list_files', { cursor: '', limit: 50 }, user)).data.files).toEqual([]);
    expect((await call('list_files', { cursor: '', limit: 50, deleted: true }, user)).data.files).toEqual([]);
  });

  test('[M6] only the owner deletes', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    expect(await call('delete_file', { file_id }, user)).toEqual(unknown(file_id));
    await share(file_id, user, 'editor');
    expect(await call('delete_file', { file_id }, user)).toEqual(
      refused(310007, 'file_id: this requires the role owner on the document; yours is editor'),
    );
    expect(await call('query_file_info', { file_id })).toMatchObject({ code: 0 });
  });
});
