import { expect, test } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';

eachServer('an item that is ready', (server) => {
  const done = async (operation: string, input: object) => {
    const answer = await server().call('http', 'wiki', operation, input);
    expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
    return answer.data;
  };
  /** What the index has, without the wait that every search begins with. */
  const isFound = async (base: string, word: string): Promise<boolean> => {
    const query = { space: 'wiki', owners: [base], anywhere: word, order: 'rank', offset: 0, limit: 1 } as const;
    return (await server().app.services.search.search(query)).total === 1;
  };

  test('[finding F10] is found by its text, whoever tells that it is ready', { timeout: 120_000 }, async () => {
    const { knowledge_base_id: base } = await done('create_knowledge_base', { name: 'Ready' });
    const early: string[] = [];
    for (let i = 0; i < 6; i++) {
      const word = `curlew${i}`;
      const { media_id } = await done('upload_knowledge', {
        knowledge_base_id: base,
        file_name: `file ${i}.md`,
        content: Buffer.from(`about ${word}`).toString('base64'),
      });
      for (let state = ''; state !== 'ready';) {
        if (i % 3 === 0) {
          const input = { media_ids: [media_id], wait_seconds: 20 };
          state = (await done('get_knowledge_state', input)).states[0].state;
        } else if (i % 3 === 1) {
          const { knowledge_list: list } = await done('get_knowledge_list', {
            knowledge_base_id: base,
            cursor: '',
            limit: 50,
          });
          state = list.find((one: { media_id: string }) => one.media_id === media_id).state;
        } else state = (await done('get_knowledge_state', { media_ids: [media_id] })).states[0].state;
      }
      if (!(await isFound(base, word))) early.push(`file ${i}`);
    }
    // A note that is added has its text at once; ready it is when searches find it there.
    for (let i = 0; i < 4; i++) {
      const word = `turnstone${i}`;
      const note = await server().call('http', 'note', 'import_doc', { content_format: 1, content: `about ${word}` });
      const { media_id } = await done('add_knowledge', {
        media_type: 11,
        title: `Note ${i}`,
        knowledge_base_id: base,
        note_info: { content_id: note.data.note_id },
      });
      await done('get_knowledge_state', { media_ids: [media_id], wait_seconds: 20 });
      if (!(await isFound(base, word))) early.push(`note ${i}`);
    }
    expect(early).toEqual([]);
  });

  test('[finding F10] the news that it is ready comes when it is found', { timeout: 120_000 }, async () => {
    const { knowledge_base_id: base } = await done('create_knowledge_base', { name: 'News' });
    const heard: Promise<[string, boolean]>[] = [];
    const stop = server().app.services.events.subscribe(`wiki:${base}`, (news) => {
      const { state, target } = news as { state?: string; target: string };
      if (state === 'ready') heard.push(isFound(base, 'redshank').then((is) => [target, is]));
    });
    const { media_id } = await done('upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'news.md',
      content: Buffer.from('about redshank').toString('base64'),
    });
    await done('get_knowledge_state', { media_ids: [media_id], wait_seconds: 20 });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    stop();
    expect(await Promise.all(heard)).toEqual(heard.map(() => [media_id, true]));
  });
});
