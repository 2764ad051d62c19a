import { expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';

onWiki('get_knowledge_base', (call, server) => {
  const kit = wikiKit(call);

  test('[W41] tells about the bases asked for', async () => {
    const { knowledge_base_id: id } = await kit.done('create_knowledge_base', {
      name: 'Physics',
      description: 'Lectures',
      cover_url: 'https://example.com/c.png',
      recommended_questions: ['Why?', 'How?'],
    });
    await kit.file(id, 'a.md', 'a');
    expect((await kit.done('get_knowledge_base', { ids: [id] })).infos).toEqual({
      [id]: {
        id,
        name: 'Physics',
        description: 'Lectures',
        cover_url: 'https://example.com/c.png',
        recommended_questions: ['Why?', 'How?'],
        role_type: 'owner',
        content_count: 1,
        member_count: 1,
      },
    });
  });

  test('[W42] what the caller cannot see is left out, prototype keys included', async () => {
    const other = await server().newUser();
    const base = await kit.base('Mine');
    const answer = await call(
      'get_knowledge_base',
      { ids: [base, 'kb_none', '__proto__', 'constructor', 'toString'] },
      other,
    );
    expect(answer).toEqual({ code: 0, msg: 'success', data: { infos: {} } });
    expect(Object.keys((await kit.done('get_knowledge_base', { ids: ['__proto__', base] })).infos)).toEqual([base]);
  });

  test('[W43] 1 to 20 ids, none twice', async () => {
    const base = await kit.base();
    const many = Array.from({ length: 20 }, (_, i) => (i === 0 ? base : `kb_${i}`));
    expect(Object.keys((await kit.done('get_knowledge_base', { ids: many })).infos)).toEqual([base]);
    expect(await call('get_knowledge_base', { ids: [...many, 'kb_20'] })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('ids'),
    });
    expect(await call('get_knowledge_base', { ids: [] })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('ids'),
    });
    expect(await call('get_knowledge_base', { ids: [base, base] })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining(base),
    });
  });
});
