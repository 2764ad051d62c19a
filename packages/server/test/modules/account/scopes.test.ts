import { expect, test } from 'vitest';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';
import { submitSignIn, sessionOf } from '@sheaf/tools/testing/sign-in.ts';

eachServer('what a key may reach', (server) => {
  const keyFor = async (input: object, as?: Key): Promise<Key> => {
    const { data } = await server().call('http', 'account', 'create_key', { name: 'scoped', ...input }, as);
    return { userId: server().owner.userId, clientId: data.key.client_id, apiKey: data.api_key };
  };
  const call = (module: string, operation: string, input: object, as: Key) =>
    server().call('http', module, operation, input, as);

  test('[finding R15] a key for knowledge bases alone cannot read a note by adding it to one', async () => {
    const { data: note } = await server().call('http', 'note', 'import_doc', {
      content_format: 1,
      content: '# Diary\n\nsecret words',
    });
    const { data: base } = await server().call('http', 'wiki', 'create_knowledge_base', { name: 'Base' });
    const add = (as: Key) =>
      call(
        'wiki',
        'add_knowledge',
        {
          knowledge_base_id: base.knowledge_base_id,
          media_type: 11,
          title: 'Diary',
          note_info: { content_id: note.note_id },
        },
        as,
      );
    const narrow = await keyFor({ modules: ['wiki'] });
    const refused = await add(narrow);
    expect(refused.msg).toContain('this API key has no access to the module note (it has access to wiki)');
    expect([refused.code, refused.data]).toEqual([110030, {}]);
    expect((await add(await keyFor({ modules: ['wiki', 'note'] }))).code).toBe(0);
  });

  test('[finding R15] what a key that runs out makes does not outlive it', async () => {
    const until = Date.now() + 3_600_000;
    const short = await keyFor({ expire_time: until });
    const forever = await call('account', 'create_key', { name: 'a' }, short);
    expect(forever.data.key.expire_time).toBe(until);
    expect(await call('account', 'create_key', { name: 'b', expire_time: until + 1 }, short)).toMatchObject({
      code: 410007,
      msg: `expire_time: this API key expires at ${until} and cannot create a key that outlives it (got ${until + 1})`,
    });
    expect((await call('account', 'create_key', { name: 'c', expire_time: until - 1000 }, short)).code).toBe(0);
    for (const [operation, input] of [
      ['create_sign_in_link', {}],
      ['set_password', { password: 'correct horse' }],
    ] as const) {
      const refused = await call('account', operation, input, short);
      expect([refused.code, refused.msg]).toEqual([410007, expect.stringContaining('which would outlive it')]);
    }
    // A person at the page makes what they like, though every session ends one day.
    const { data } = await server().call('http', 'account', 'create_sign_in_link', {});
    const cookie = sessionOf(await submitSignIn(server().url, data.sign_in_path));
    const made = await fetch(`${server().url}/openapi/account/v1/create_key`, {
      method: 'POST',
      headers: { cookie, origin: server().url, 'content-type': 'application/json' },
      body: '{"name":"d"}',
    });
    expect(((await made.json()) as { data: { key: { expire_time: number } } }).data.key.expire_time).toBe(0);
  });

  test('[finding R15] /mcp takes a session only from our own page', async () => {
    const { data } = await server().call('http', 'account', 'create_sign_in_link', {});
    const cookie = sessionOf(await submitSignIn(server().url, data.sign_in_path));
    const ask = async (headers: Record<string, string>) =>
      (
        await fetch(`${server().url}/mcp`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json', ...headers },
          body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        })
      ).status;
    expect([
      await ask({}),
      await ask({ 'sec-fetch-site': 'cross-site' }),
      await ask({ origin: 'http://evil.com' }),
      await ask({ origin: server().url }),
    ]).toEqual([403, 403, 403, 200]);
  });
});
