import { expect, test } from 'vitest';
import { maxPublicLinks } from '../../../src/ports/public-link-store.ts';
import { onOperation, refused, unknown } from './support.ts';

onOperation('create_public_link', ({ call, create, server, share }) => {
  test('[M15] returns an address that shows the document, once', async () => {
    const { file_id } = await create('Shown');
    const { code, data } = await call('create_public_link', { file_id });
    expect(code).toBe(0);
    expect(data.link).toMatchObject({ expire_time: 0 });
    const secret = new URL(data.url as string).hash.slice(1);
    const answer = await fetch(`${server().url}/public/sheet/v1/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sheaf-link': secret },
      body: '{}',
    });
    expect(await answer.json()).toMatchObject({ code: 0, data: { title: 'Shown' } });
  });

  test('[M15] a time to end at must be in the future', async () => {
    const { file_id } = await create();
    expect(await call('create_public_link', { file_id, expire_time: 1 })).toEqual(
      refused(310001, 'expire_time: must be in the future (got 1)'),
    );
    const later = Date.now() + 86_400_000;
    const { data } = await call('create_public_link', { file_id, expire_time: later });
    expect(data.link.expire_time).toBe(later);
  });

  test('[M15] only the owner makes links; a document has a limited number', async () => {
    const { file_id } = await create();
    const user = await server().newUser();
    expect(await call('create_public_link', { file_id }, user)).toEqual(unknown(file_id));
    await share(file_id, user, 'editor');
    expect(await call('create_public_link', { file_id }, user)).toEqual(
      refused(310007, 'file_id: this requires the role owner on the document; yours is editor'),
    );
    for (let made = 0; made < maxPublicLinks; made++) await call('create_public_link', { file_id });
    expect(await call('create_public_link', { file_id })).toEqual(
      refused(310006, 'file_id: the document has 20 public links, at most 20; end one first'),
    );
  });
});
