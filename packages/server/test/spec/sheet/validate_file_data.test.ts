import { expect, test } from 'vitest';
import { onTool, refused } from './support.ts';

onTool('validate_file_data', ({ call, server, sheet }) => {
  const valid = { is_valid: true, ret_code: 0, stage: '', failed_mutation_type: 0, err_msg: '' };

  test('[S120] every version of a document that is well; neither field means the newest', async () => {
    const s = await sheet('1\n');
    await s.put('A2', '2\n');
    const validate = async (input: Record<string, unknown> = {}) =>
      (await call('validate_file_data', { file_id: s.file_id, ...input })).data;
    expect(await validate()).toEqual({ ...valid, checked_version: 3 });
    for (const version of [1, 2, 3])
      expect(await validate({ version })).toEqual({ ...valid, checked_version: version });
    expect(await validate({ version: 1, is_latest: true })).toEqual({ ...valid, checked_version: 3 });
    expect(await validate({ version: 2, is_latest: false })).toEqual({ ...valid, checked_version: 2 });
  });

  test('[S120] a version that is not there is 310004; below 0 is 310001', async () => {
    const s = await sheet('1\n');
    expect(await call('validate_file_data', { file_id: s.file_id, version: 3 })).toEqual(
      refused(310004, 'version: the latest version is 2 (got 3)'),
    );
    expect(await call('validate_file_data', { file_id: s.file_id, version: 99, is_latest: true })).toMatchObject({
      code: 0,
      data: { checked_version: 2 },
    });
    expect(await call('validate_file_data', { file_id: s.file_id, version: -1 })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S128] a viewer may validate, a stranger sees no document', async () => {
    const s = await sheet('1\n');
    const user = await server().newUser();
    expect(await call('validate_file_data', { file_id: s.file_id }, user)).toEqual(
      refused(310002, `file_id: there is no document "${s.file_id}"`),
    );
    await server().call('http', 'manage', 'share_file', { file_id: s.file_id, user_id: user.userId, role: 'viewer' });
    expect(await call('validate_file_data', { file_id: s.file_id }, user)).toMatchObject({
      code: 0,
      data: { is_valid: true },
    });
  });
});
