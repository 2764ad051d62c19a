import { expect, test } from 'vitest';
import { sessionOf, submitSignIn } from '@sheaf/tools/testing/sign-in.ts';
import { eachServer, type Answer } from '@sheaf/tools/testing/test-server.ts';

eachServer('profiles', (server) => {
  const inBrowser = async (cookie: string, operation: string, body: object): Promise<Answer> => {
    const answer = await fetch(`${server().url}/openapi/account/v1/${operation}`, {
      method: 'POST',
      headers: { cookie, origin: server().url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Answer;
  };
  const byLink = async (user_id: string): Promise<string> => {
    const { data } = await server().call('http', 'account', 'create_sign_in_link', { user_id });
    return sessionOf(await submitSignIn(server().url, data.sign_in_path));
  };
  const byPassword = async (name: string, password: string): Promise<string> =>
    sessionOf(
      await fetch(`${server().url}/sign-in`, {
        method: 'POST',
        headers: { origin: server().url, 'content-type': 'application/json' },
        body: JSON.stringify({ name, password }),
      }),
    );

  test('[finding P20] a browser session replaces a password only with the old one; a one-time link needs none', async () => {
    const name = `ada-${Date.now()}`;
    const { data } = await server().call('http', 'account', 'create_user', { name });
    const link = await byLink(data.user.user_id);
    expect(await inBrowser(link, 'set_password', { password: 'seven quiet herons' })).toMatchObject({ code: 0 });
    const cookie = await byPassword(name, 'seven quiet herons');
    expect((await inBrowser(cookie, 'get_profile', {})).data.needs_old_password).toBe(true);
    expect(await inBrowser(cookie, 'set_password', { password: 'nine loud herons' })).toMatchObject({
      code: 410001,
      msg: 'old_password: is required to replace a password',
    });
    const wrong = { password: 'nine loud herons', old_password: 'seven quiet heron' };
    expect(await inBrowser(cookie, 'set_password', wrong)).toMatchObject({
      code: 410001,
      msg: 'old_password: is not the current password',
    });
    const right = { password: 'nine loud herons', old_password: 'seven quiet herons' };
    expect(await inBrowser(cookie, 'set_password', right)).toMatchObject({ code: 0 });
    const again = await byLink(data.user.user_id);
    expect((await inBrowser(again, 'get_profile', {})).data.needs_old_password).toBe(false);
    expect(await inBrowser(again, 'set_password', { password: 'ten herons again' })).toMatchObject({ code: 0 });
  });

  test('[T45] a browser session that guesses the old password is stopped', async () => {
    const name = `eve-${Date.now()}`;
    const { data } = await server().call('http', 'account', 'create_user', { name });
    const link = await byLink(data.user.user_id);
    expect(await inBrowser(link, 'set_password', { password: 'seven quiet herons' })).toMatchObject({ code: 0 });
    const cookie = await byPassword(name, 'seven quiet herons');
    const guess = (old_password: string): Promise<Answer> =>
      inBrowser(cookie, 'set_password', { password: 'nine loud herons', old_password });
    for (let n = 0; n < 10; n++) expect((await guess(`guess ${n}`)).code).toBe(410001);
    const stopped = await guess('seven quiet herons');
    expect([stopped.code, stopped.msg]).toEqual([20002, expect.stringContaining('old_password: was wrong too often')]);
  });

  test('[finding P20] a profile is kept, checked, shown to the owner and deleted with its user', async () => {
    const member = await server().newUser();
    const call = (operation: string, input: object) => server().call('http', 'account', operation, input, member);
    const picture = 'data:image/png;base64,iVBORw0KGgo=';
    const profile = { display_name: 'Ada Lovelace', language: 'zh', time_zone: 'Europe/London', picture };
    expect((await call('update_profile', profile)).data).toEqual(profile);
    expect((await call('update_profile', { language: '' })).data).toEqual({ ...profile, language: '' });
    expect((await call('get_profile', {})).data).toEqual({ ...profile, language: '', needs_old_password: false });
    for (const [given, rule] of [
      [{ time_zone: 'Mars/Olympus' }, 'time_zone: must be an IANA time zone'],
      [{ picture: 'https://example.com/a.png' }, 'picture: must be a data URL'],
      [{ picture: 'data:image/svg+xml;base64,PHN2Zz4=' }, 'picture: must be a data URL'],
    ] as const)
      expect((await call('update_profile', given)).msg).toContain(rule);
    const listed = async () =>
      (await server().call('http', 'account', 'list_users', {})).data.users.find(
        (user: { user_id: string }) => user.user_id === member.userId,
      );
    expect(await listed()).toMatchObject({ display_name: 'Ada Lovelace', quota_bytes: 10 * 2 ** 30 });
    expect((await listed()).last_seen_time).toBeGreaterThan(Date.now() - 600_000);
    await server().call('http', 'account', 'delete_user', { user_id: member.userId });
    expect(await listed()).toMatchObject({ state: 'deleted', display_name: '' });
  });

  test('[finding P20] a second owner, quotas, and what is set up are for owners alone', async () => {
    const member = await server().newUser();
    const asMember = (operation: string, input: object) => server().call('http', 'account', operation, input, member);
    expect((await asMember('get_setup', {})).code).toBe(410007);
    const itself = { user_id: member.userId, role: 'owner' };
    expect((await asMember('update_user', itself)).code).toBe(410007);
    expect((await server().call('http', 'account', 'update_user', { ...itself, quota_bytes: 4096 })).code).toBe(0);
    // The new role counts from the next call on.
    const setup = await asMember('get_setup', {});
    expect(setup.data.parts).toContainEqual({ part: 'ocr', is_set_up: false });
    const { users } = (await asMember('list_users', {})).data;
    expect(users.find((user: { user_id: string }) => user.user_id === member.userId)).toMatchObject({
      role: 'owner',
      quota_bytes: 4096,
    });
    const refused = await server().call('http', 'account', 'suspend_user', { user_id: member.userId });
    expect(refused.code).toBe(410007);
    expect((await server().call('http', 'account', 'update_user', { ...itself, role: 'member' })).code).toBe(0);
    expect((await asMember('get_setup', {})).code).toBe(410007);
    const last = { user_id: server().owner.userId, role: 'member' };
    const { code, msg } = await server().call('http', 'account', 'update_user', last);
    expect([code, msg]).toEqual([410007, 'role: the last active owner cannot become a member']);
  });
});
