import { expect, test } from 'vitest';
import { sessionOf, submitSignIn } from '@sheaf/tools/testing/sign-in.ts';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';

eachServer('[T96] remember and recall', (server) => {
  const done = async (name: string, input: object, as: Key = server().owner): Promise<any> => {
    const [module, operation] = name.split('.') as [string, string];
    const { code, msg, data } = await server().call('http', module, operation, input, as);
    expect([name, code, msg]).toEqual([name, 0, 'success']);
    return data;
  };
  const newKey = async (as: Key = server().owner): Promise<Key> => {
    const { api_key: apiKey, key } = await done('account.create_key', { name: 'an agent' }, as);
    return { ...as, clientId: key.client_id, apiKey };
  };
  const texts = async (question: string, as: Key): Promise<string[]> =>
    (await done('note.recall', { question }, as)).memories.map((one: any) => one.text);

  test('find what was noted by its words, in English and Chinese, best first', async () => {
    const agent = await newKey();
    await done('note.remember', { text: 'Reports go out on Mondays, in euros', about: 'Ada' }, agent);
    await done('note.remember', { text: 'Grace prefers charts to tables' }, agent);
    await done('note.remember', { text: '预算每年三月批准', about: '财务' }, agent);
    expect(await texts('when does the report go out?', agent)).toEqual(['Reports go out on Mondays, in euros']);
    expect((await texts('what does Ada like', agent))[0]).toBe('Reports go out on Mondays, in euros');
    expect(await texts('预算什么时候批准', agent)).toEqual(['预算每年三月批准']);
    expect(await texts('', agent)).toEqual([
      '预算每年三月批准',
      'Grace prefers charts to tables',
      'Reports go out on Mondays, in euros',
    ]);
    expect(await texts('zeppelin', agent)).toEqual([]);
    const { memories } = await done('note.recall', { question: 'Ada', limit: 1 }, agent);
    expect(Date.parse(memories[0].time)).toBe(memories[0].create_time);
  });

  test('are of one app and one person: another key, another user and other tools see nothing', async () => {
    const [one, other, stranger] = [await newKey(), await newKey(), await server().newUser()];
    const { memory_id: id } = await done('note.remember', { text: 'The safe word is aardvark' }, one);
    for (const as of [other, stranger]) {
      expect(await texts('aardvark', as)).toEqual([]);
      expect((await done('note.list_memories', {}, as)).memories).toEqual([]);
      expect((await done('note.forget', { memory_ids: [id] }, as)).erased).toBe(0);
      expect((await done('wiki.search_all', { query: 'aardvark' }, as)).info_list).toEqual([]);
    }
    expect(await texts('aardvark', one)).toEqual(['The safe word is aardvark']);
    expect((await done('account.list_changes', {}, one)).changes.map((each: any) => each.id)).not.toContain(id);
  });

  test('the person who is signed in reads and erases those of all apps, and an app its own', async () => {
    const person = await server().newUser();
    const agents = [await newKey(person), await newKey(person)];
    for (const [index, agent] of agents.entries()) await done('note.remember', { text: `fact ${index}` }, agent);
    const { sign_in_path: path } = await done('account.create_sign_in_link', { user_id: person.userId });
    const cookie = sessionOf(await submitSignIn(server().url, path));
    const onPage = async (operation: string, input: object): Promise<any> => {
      const response = await fetch(`${server().url}/openapi/note/v1/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie, origin: server().url },
        body: JSON.stringify(input),
      });
      return response.json();
    };
    const seen = await onPage('list_memories', {});
    expect(seen.data.memories.map((one: any) => [one.text, one.app])).toEqual([
      ['fact 1', 'an agent'],
      ['fact 0', 'an agent'],
    ]);
    expect((await done('note.forget', { all: true }, agents[0])).erased).toBe(1);
    expect(await texts('fact', agents[1]!)).toEqual(['fact 1']);
    expect((await onPage('forget', { all: true })).data.erased).toBe(1);
    expect(await texts('fact', agents[1]!)).toEqual([]);
  });

  test('count against the quota, need write access, and are deleted with the user', async () => {
    const person = await server().newUser();
    const used = async (): Promise<number> =>
      (
        await server().app.database.get<{ bytes: number }>(
          'SELECT bytes FROM storage_use WHERE user_id = ?',
          person.userId,
        )
      )?.bytes ?? 0;
    const before = await used();
    const agent = await newKey(person);
    await done('note.remember', { text: 'x'.repeat(2000) }, agent);
    expect(await used()).toBeGreaterThanOrEqual(before + 2000);
    await done('note.forget', { all: true }, agent);
    expect(await used()).toBe(before);
    const { code, msg } = await server().call('http', 'note', 'remember', { text: 'x'.repeat(2001) }, agent);
    expect([code, msg]).toEqual([210001, 'text: must be at most 2000 characters (got 2001)']);
    expect((await server().call('http', 'note', 'forget', {}, agent)).msg).toBe(
      'memory_ids: send either memory_ids or all: true',
    );
    await done('note.remember', { text: 'gone with them' }, agent);
    await done('account.delete_user', { user_id: person.userId });
    const rows = await server().app.database.all('SELECT id FROM agent_memory WHERE user_id = ?', person.userId);
    expect(rows).toEqual([]);
  });

  test('a retry notes it once', async () => {
    const agent = await newKey();
    const input = { text: 'once', idempotency_key: 'memory-1' };
    const first = await done('note.remember', input, agent);
    expect(await done('note.remember', input, agent)).toEqual(first);
    expect((await done('note.list_memories', {}, agent)).memories).toHaveLength(1);
  });
});
