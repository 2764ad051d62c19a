import { expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';

onWiki('get_addable_knowledge_base_list', (call, server) => {
  const kit = wikiKit(call);

  test('[W65] bases of owners and editors, id and name only', async () => {
    const user = await server().newUser();
    const [viewed, edited] = [await kit.base('Viewed'), await kit.base('Edited')];
    await kit.member(viewed, user, 'viewer');
    await kit.member(edited, user, 'editor');
    const own = await kit.base('Own', user);
    const answer = await call('get_addable_knowledge_base_list', { cursor: '0', limit: '50' }, user);
    expect(answer).toMatchObject({ code: 0, data: { is_end: true, next_cursor: '' } });
    expect(answer.data.addable_knowledge_base_list).toEqual([
      { id: expect.stringMatching(/^kb_/), name: 'My knowledge base' },
      { id: own, name: 'Own' },
      { id: edited, name: 'Edited' },
    ]);
    await kit.done('remove_member', { knowledge_base_id: edited, user_id: user.userId });
    expect(
      (await kit.done('get_addable_knowledge_base_list', { cursor: '', limit: 50 }, user)).addable_knowledge_base_list,
    ).toHaveLength(2);
  });
});
