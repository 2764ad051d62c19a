import { expect, test } from 'vitest';
import { onOperation, refused, unknown } from './support.ts';

onOperation('share_file', ({ call, create, info, server, share, sheet }) => {
  test('[M7] viewer reads, editor writes, none ends the access', async () => {
    const file = await create();
    const user = await server().newUser();
    const read = async () => (await sheet('get_sheet_info', { file_id: file.file_id }, user)).code;
    const write = async () => (await sheet('set_range_value_by_csv', { ...file, csv_data: 'x' }, user)).code;
    expect([await read(), await write()]).toEqual([310002, 310002]);
    expect((await share(file.file_id, user, 'viewer')).data).toMatchObject({ file_id: file.file_id, role: 'viewer' });
    expect([await read(), await write()]).toEqual([0, 310007]);
    await share(file.file_id, user, 'editor');
    expect([await read(), await write()]).toEqual([0, 0]);
    await share(file.file_id, user, 'none');
    expect([await read(), await write()]).toEqual([310002, 310002]);
    expect((await info(file.file_id)).members).toHaveLength(1);
    expect((await share(file.file_id, user, 'none')).data).toMatchObject({ role: 'none' });
  });

  test("[M7] never the owner's own access; only the owner shares", async () => {
    const { file_id } = await create();
    const [user, other] = [await server().newUser(), await server().newUser()];
    expect(await share(file_id, server().owner, 'viewer')).toEqual(
      refused(310001, "user_id: the owner's own access cannot be changed"),
    );
    await share(file_id, user, 'editor');
    expect(await call('share_file', { file_id, user_id: other.userId, role: 'viewer' }, user)).toEqual(
      refused(310007, 'file_id: this requires the role owner on the document; yours is editor'),
    );
    expect(await call('share_file', { file_id, user_id: other.userId, role: 'viewer' }, other)).toEqual(
      unknown(file_id),
    );
  });

  test('[M7] an unknown user is 310004, other roles are 310001', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    expect(await call('share_file', { file_id, user_id: 'user_none', role: 'viewer' })).toEqual(
      refused(310004, 'user_id: there is no user "user_none"'),
    );
    for (const role of ['owner', 'commenter', ''])
      expect(await share(file_id, user, role), role).toMatchObject({ code: 310001, data: {} });
    expect((await info(file_id)).members).toHaveLength(1);
  });

  test('[M7] user_name names the user too; one of the two is needed', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    const { name } = (await server().call('http', 'account', 'get_me', {}, user)).data;
    expect(await call('share_file', { file_id, user_name: name, role: 'editor' })).toMatchObject({
      code: 0,
      data: { file_id, role: 'editor' },
    });
    expect((await info(file_id, user)).file.role).toBe('editor');
    expect(await call('share_file', { file_id, role: 'editor' })).toEqual(
      refused(310001, 'user_id: is required unless user_name is sent'),
    );
    expect(await call('share_file', { file_id, user_name: 'nobody at all', role: 'editor' })).toEqual(
      refused(310004, 'user_name: there is no user "nobody at all"'),
    );
  });
});
