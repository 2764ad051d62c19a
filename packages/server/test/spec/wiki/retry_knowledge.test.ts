import { expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';
import { makeFailed } from './things.ts';

onWiki('retry_knowledge', (call, server) => {
  const kit = wikiKit(call);

  test('[W123] reads a failed item once more; one that is not failed is refused', async () => {
    const { item } = await makeFailed(server());
    expect((await kit.done('get_knowledge_state', { media_ids: [item] })).states).toMatchObject([
      { state: 'failed', reason: 'made to fail' },
    ]);
    expect(await kit.done('retry_knowledge', { media_id: item })).toEqual({ media_id: item, state: 'queued' });
    await kit.ready(item);
    expect(await call('retry_knowledge', { media_id: item })).toEqual({
      code: 110001,
      msg: 'media_id: only a failed item can be retried, and this one is ready',
      data: {},
    });
  });

  test('[W124][T31] the password that was missing is sent with it, and not kept', async () => {
    const { item } = await makeFailed(server());
    await kit.done('retry_knowledge', { media_id: item, password: 'sesame-open' });
    await kit.ready(item);
    expect(await server().app.services.wiki.texts.sealedPassword(item)).toBe('');
  });

  test('[W125] viewers cannot', async () => {
    const { base, item } = await makeFailed(server());
    const viewer = await server().newUser();
    await kit.member(base, viewer, 'viewer');
    expect(await call('retry_knowledge', { media_id: item }, viewer)).toMatchObject({ code: 110030, data: {} });
    expect((await kit.done('get_knowledge_state', { media_ids: [item] })).states).toMatchObject([{ state: 'failed' }]);
  });
});
