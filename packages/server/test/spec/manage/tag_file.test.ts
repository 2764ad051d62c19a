import { expect, test } from 'vitest';
import { onOperation, refused, unknown } from './support.ts';

onOperation('tag_file', ({ call, create, server, share }) => {
  test('adds and removes tags, whatever their case', async () => {
    const { file_id } = await create('Plan');
    expect((await call('tag_file', { file_id, add: ['Review', '#later'] })).data).toEqual({
      file_id,
      tags: [
        { tag: 'later', in_text: false },
        { tag: 'Review', in_text: false },
      ],
    });
    expect((await call('tag_file', { file_id, remove: ['review'] })).data.tags).toEqual([
      { tag: 'later', in_text: false },
    ]);
  });

  test('needs an editor', async () => {
    const { file_id } = await create('Plan');
    const user = await server().newUser();
    expect(await call('tag_file', { file_id, add: ['x'] }, user)).toEqual(unknown(file_id));
    await share(file_id, user, 'viewer');
    expect(await call('tag_file', { file_id, add: ['x'] }, user)).toEqual(
      refused(310007, 'file_id: this requires the role editor on the document; yours is viewer'),
    );
  });
});
