import { expect, test } from 'vitest';
import { nothing, onOperation, refused, unknown } from './support.ts';

onOperation('rename_file', ({ call, create, info, server, share }) => {
  test('[M4] gives another title; formulas and versions stay as they are', async () => {
    const { file_id } = await create('Old');
    expect(await call('rename_file', { file_id, title: 'New' })).toEqual(nothing);
    expect((await info(file_id)).file).toMatchObject({ title: 'New', version: 1 });
    expect(await call('rename_file', { file_id, title: 'x'.repeat(256) })).toEqual(
      refused(310001, 'title: must be at most 255 characters (got 256)'),
    );
    expect(await call('rename_file', { file_id })).toEqual(refused(310001, 'title: is required'));
  });

  test('[M4] needs an editor', async () => {
    const { file_id } = await create('Old');
    const user = await server().newUser();
    expect(await call('rename_file', { file_id, title: 'New' }, user)).toEqual(unknown(file_id));
    await share(file_id, user, 'viewer');
    expect(await call('rename_file', { file_id, title: 'New' }, user)).toEqual(
      refused(310007, 'file_id: this requires the role editor on the document; yours is viewer'),
    );
    await share(file_id, user, 'editor');
    expect(await call('rename_file', { file_id, title: 'New' }, user)).toEqual(nothing);
    expect((await info(file_id)).file.title).toBe('New');
  });
});
