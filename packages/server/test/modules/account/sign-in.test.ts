import { describe, expect, test } from 'vitest';
import { eachServer, startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { deviceOf, postForm, submitSignIn, sessionOf } from '@sheaf/tools/testing/sign-in.ts';

const linkFor = async (server: TestServer, userId?: string): Promise<string> =>
  (await server.call('http', 'account', 'create_sign_in_link', userId === undefined ? {} : { user_id: userId })).data
    .sign_in_path;

const whoIs = async (server: TestServer, cookie: string): Promise<string> => {
  const answer = await fetch(`${server.url}/openapi/account/v1/get_me`, {
    method: 'POST',
    headers: { cookie, origin: server.url },
  });
  return ((await answer.json()) as { data: { user_id?: string } }).data.user_id ?? '';
};

const password = (server: TestServer, name: string, value: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...headers },
    body: JSON.stringify({ name, password: value }),
  });

eachServer('sign-in links', (server) => {
  test('[finding R4] asking for the address signs nobody in, uses nothing up, and writes nothing', async () => {
    const path = await linkFor(server());
    const rows = async () => (await server().app.services.accounts.listAudit({ limit: 1 }))[0]!.id;
    const before = await rows();
    for (const headers of [
      {},
      { accept: 'image/avif,image/webp,*/*' },
      { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[]) {
      const shown = await fetch(server().url + path, { headers, redirect: 'manual' });
      expect([shown.status, shown.headers.getSetCookie()]).toEqual([200, []]);
      expect(await shown.text()).toContain('<form method="post" action="/sign-in">');
    }
    expect(await rows()).toBe(before);
    const pressed = await submitSignIn(server().url, path);
    expect([pressed.status, pressed.headers.get('location'), await whoIs(server(), sessionOf(pressed))]).toEqual([
      303,
      '/',
      server().owner.userId,
    ]);
    expect((await fetch(server().url + path, { redirect: 'manual' })).status).toBe(410);
  });

  test('[finding R4] the button counts only on our own page', async () => {
    const path = await linkFor(server());
    const form = new URLSearchParams({ token: path.split('token=')[1]! });
    for (const origin of ['http://evil.com', 'null'])
      expect((await postForm(server().url, form, { origin })).status).toBe(403);
    const without = await fetch(`${server().url}/sign-in`, { method: 'POST', body: form, redirect: 'manual' });
    expect([without.status, without.headers.getSetCookie()]).toEqual([403, []]);
    expect((await postForm(server().url, form)).status).toBe(303);
  });

  test('[finding R4] a link of somebody else asks before it replaces a session, which then ends', async () => {
    const other = await server().newUser();
    const mine = sessionOf(await submitSignIn(server().url, await linkFor(server())));
    const path = await linkFor(server(), other.userId);
    const token = path.split('token=')[1]!;
    const unasked = await postForm(server().url, new URLSearchParams({ token }), { cookie: mine });
    expect([unasked.status, unasked.headers.getSetCookie()]).toEqual([409, []]);
    expect(await unasked.text()).toContain('This link signs in as a different user');
    const stale = await postForm(server().url, new URLSearchParams({ token, instead_of: other.userId }), {
      cookie: mine,
    });
    expect([stale.status, await whoIs(server(), mine)]).toEqual([409, server().owner.userId]);
    const asked = await submitSignIn(server().url, path, { cookie: mine });
    expect([asked.status, await whoIs(server(), sessionOf(asked)), await whoIs(server(), mine)]).toEqual([
      303,
      other.userId,
      '',
    ]);
  });

  test('the page is safe: nothing framed, no script but ours, names as text, Chinese where it is asked for', async () => {
    const page = await fetch(server().url + (await linkFor(server())), {
      headers: { 'accept-language': 'de, zh-TW;q=0.9, en;q=0.8' },
    });
    expect(await page.text()).toContain('<html lang="zh-CN">');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'sha256-[\w+/=]+'; .*frame-ancestors 'none'$/,
    );
    expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'same-origin',
    ]);
  });

  test('[finding R11] wrong links write no rows of their own: one says how many there were; an address is told to wait', async () => {
    const { accounts } = server().app.services;
    const [last] = await accounts.listAudit({ limit: 1 });
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++)
      statuses.push((await fetch(`${server().url}/sign-in?token=garbage-${i}`, { redirect: 'manual' })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([410, 429]);
    expect((await accounts.listAudit({ limit: 1 }))[0]!.id).toBe(last!.id);
    await server().app.signIn.close();
    const [row, next] = await accounts.listAudit({ limit: 2 });
    expect([row!.operation, row!.target, next!.id]).toEqual([
      'page.sign_in_refused',
      expect.stringMatching(/^\d+ links/),
      last!.id,
    ]);
    // A right link is let in all the same.
    expect((await submitSignIn(server().url, await linkFor(server()))).status).toBe(303);
  });
});

describe('tries with a password', () => {
  test('[finding R15] are limited by account from any number of addresses, and a browser that was let in before is not kept out', async () => {
    const server = await startServer({ clock: { now: () => 1_800_000_000_000 } });
    await server.call('http', 'account', 'create_user', { name: 'ada', password: 'correct horse' });
    await server.call('http', 'account', 'create_user', { name: 'bob', password: 'correct horse' });
    const first = await password(server, 'ada', 'correct horse');
    expect(first.status).toBe(200);
    const device = deviceOf(first);
    expect(device).not.toBe('');

    const { signInLimits } = server.app;
    // Each from another address, as a guesser with many has them.
    const guess = (i: number) => {
      const one = { address: `203.0.113.${i}`, name: 'ada', device: undefined };
      const wait = signInLimits.take(one);
      if (wait === 0) signInLimits.recordFailure(one);
      return wait;
    };
    expect(Array.from({ length: 22 }, (_, i) => guess(i) > 0)).toEqual([
      ...Array.from({ length: 20 }, () => false),
      true,
      true,
    ]);
    expect((await password(server, 'ada', 'correct horse')).status).toBe(429);
    expect((await password(server, 'ada', 'correct horse', { cookie: device })).status).toBe(200);
    // Another account is not touched, and a browser known to one account is a stranger to another.
    expect((await password(server, 'bob', 'correct horse')).status).toBe(200);
    expect(
      signInLimits.take({
        address: '203.0.113.77',
        name: 'ada',
        device: deviceOf(await password(server, 'bob', 'correct horse')).split('=')[1]!,
      }),
    ).toBeGreaterThan(0);
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => password(server, 'ada', 'wrong horse', { cookie: device })),
    );
    expect(tries.filter((answer) => answer.status === 429).length).toBeGreaterThan(0);
    await server.close();
  });
});
