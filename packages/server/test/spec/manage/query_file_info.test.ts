import { expect, test } from 'vitest';
import { onOperation, unknown } from './support.ts';

onOperation('query_file_info', ({ call, create, info, server, share, sheet }) => {
  test('[M2] title, address, role, version, times and members', async () => {
    const file = await create('Plan');
    const { owner } = server();
    expect(await info(file.file_id)).toEqual({
      file: {
        file_id: file.file_id,
        title: 'Plan',
        file_type: 'sheet',
        url: `${server().url}/sheet/${file.file_id}`,
        owner_id: owner.userId,
        role: 'owner',
        version: 1,
        create_time: expect.any(Number),
        modify_time: expect.any(Number),
      },
      members: [{ user_id: owner.userId, name: expect.any(String), role: 'owner' }],
      type: 'sheet',
      status: 'normal',
      create_time: expect.any(Number),
      create_name: expect.any(String),
      last_modify_time: expect.any(Number),
      last_modify_name: expect.any(String),
      owner_name: expect.any(String),
      space_id: '',
      is_folder: false,
    });
  });

  test('[M2] version and modify_time follow every write', async () => {
    const file = await create();
    const before = (await info(file.file_id)).file;
    await sheet('set_range_value_by_csv', { ...file, csv_data: 'a' });
    const after = (await info(file.file_id)).file;
    expect([after.version, after.create_time]).toEqual([2, before.create_time]);
    expect(after.modify_time).toBeGreaterThanOrEqual(before.modify_time);
  });

  test('[M2] each member sees their own role; a stranger no document', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    expect(await call('query_file_info', { file_id }, user)).toEqual(unknown(file_id));
    await share(file_id, user, 'viewer');
    const told = await info(file_id, user);
    expect(told.file.role).toBe('viewer');
    expect(told.members.map((one: any) => [one.user_id, one.role])).toEqual(
      expect.arrayContaining([
        [server().owner.userId, 'owner'],
        [user.userId, 'viewer'],
      ]),
    );
    expect(told.members).toHaveLength(2);
    expect(await call('query_file_info', { file_id: 'doc_none' })).toEqual(unknown('doc_none'));
  });
});
