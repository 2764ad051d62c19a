import { expect, test } from 'vitest';
import { nothing, onOperation, refused } from './support.ts';

onOperation('end_public_link', ({ call, create, server, share }) => {
  test('[M17] ends it, once, and none of another document', async () => {
    const { file_id } = await create();
    const other = await create();
    const { link_id } = (await call('create_public_link', { file_id })).data.link;
    const gone = refused(310004, `link_id: the document has no public link "${link_id}"`);
    expect(await call('end_public_link', { file_id: other.file_id, link_id })).toEqual(gone);
    expect(await call('end_public_link', { file_id, link_id })).toEqual(nothing);
    expect(await call('end_public_link', { file_id, link_id })).toEqual(gone);
    expect((await call('list_public_links', { file_id })).data).toEqual({ links: [] });
  });

  test('[M17] for the owner alone', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    const { link_id } = (await call('create_public_link', { file_id })).data.link;
    await share(file_id, user, 'editor');
    expect(await call('end_public_link', { file_id, link_id }, user)).toEqual(
      refused(310007, 'file_id: this requires the role owner on the document; yours is editor'),
    );
  });
});
