import { expect, test } from 'vitest';
import { onOperation, refused } from './support.ts';

onOperation('list_public_links', ({ call, create, server, share }) => {
  test('[M16] [finding P20] lists what was made, oldest first, with addresses to copy again', async () => {
    const { file_id } = await create();
    expect((await call('list_public_links', { file_id })).data).toEqual({ links: [] });
    const first = (await call('create_public_link', { file_id })).data;
    const second = (await call('create_public_link', { file_id, expire_time: Date.now() + 60_000 })).data;
    const { data } = await call('list_public_links', { file_id });
    expect(data).toEqual({
      links: [
        { ...first.link, url: first.url },
        { ...second.link, url: second.url },
      ],
    });
  });

  test('[M16] for the owner alone', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    await share(file_id, user, 'editor');
    expect(await call('list_public_links', { file_id }, user)).toEqual(
      refused(310007, 'file_id: this requires the role owner on the document; yours is editor'),
    );
  });
});
