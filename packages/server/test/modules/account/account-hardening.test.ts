import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectionLimits } from '../../../src/transports/http/connection-limits.ts';
import { eachServer, startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { sessionOf, submitSignIn } from '@sheaf/tools/testing/sign-in.ts';

eachServer('account hardening', (server) => {
  test('[finding R24] frequent, blank and repeated passwords and the user name are refused', async () => {
    const member = await server().newUser();
    const { data: me } = await server().call('http', 'account', 'get_me', {}, member);
    const refused = ['password', 'PassWord1', '        ', 'aaaaaaaa', '12121212', ' 1234567 ', me.name.padEnd(8, '1')];
    for (const password of refused) {
      const answer = await server().call('http', 'account', 'set_password', { password }, member);
      expect(answer, password).toMatchObject({ code: 410001, msg: expect.stringMatching(/^password: /) });
    }
    const created = await server().call('http', 'account', 'create_user', { name: 'margaret', password: 'Margaret1' });
    expect(created).toMatchObject({ code: 410001, msg: 'password: must not be the user name; choose several words' });
    const good = await server().call('http', 'account', 'set_password', { password: 'seven quiet herons' }, member);
    expect(good.code).toBe(0);
  });

  test('[finding R24] sessions of a suspended user are not valid again once the user is resumed', async () => {
    const member = await server().newUser();
    const { data: link } = await server().call('http', 'account', 'create_sign_in_link', { user_id: member.userId });
    const signedIn = await submitSignIn(server().url, link.sign_in_path);
    const cookie = sessionOf(signedIn);
    const whoAmI = () =>
      fetch(`${server().url}/openapi/account/v1/get_me`, {
        method: 'POST',
        headers: { cookie, origin: server().url, 'content-type': 'application/json' },
        body: '{}',
      }).then((response) => response.status);
    expect(await whoAmI()).toBe(200);
    await server().call('http', 'account', 'suspend_user', { user_id: member.userId });
    await server().call('http', 'account', 'resume_user', { user_id: member.userId });
    expect(await whoAmI()).toBe(401);
  });

  test('[finding R24] revoking a connection that does not exist leaves no trace in the audit', async () => {
    const id = 'any text that somebody wants to see in the audit';
    const answer = await server().call('http', 'account', 'revoke_connection', { connection_id: id });
    expect(answer.code).toBe(410002);
    const { data } = await server().call('http', 'account', 'list_audit', { limit: 100 });
    expect(JSON.stringify(data)).not.toContain(id);
  });
});

describe('what the server tells without a key', () => {
  let server: TestServer;
  const token = 'a-token-for-the-scraper';
  beforeAll(async () => {
    server = await startServer({ config: { SHEAF_METRICS_TOKEN: token } });
  });
  afterAll(() => server.close());

  test('[finding R24] /metrics asks for the token that is set', async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    const wrong = await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer no' } });
    expect(wrong.status).toBe(401);
    const right = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await right.text()).toContain('process_cpu_seconds_total');
  });

  test('[finding R24] /openapi.json has an ETag, answers 304, and names the address that was asked', async () => {
    const first = await fetch(`${server.url}/openapi.json`);
    const tag = first.headers.get('etag')!;
    expect(((await first.json()) as { servers: { url: string }[] }).servers[0]!.url).toBe(server.url);
    const again = await fetch(`${server.url}/openapi.json`, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

test('[finding R24] a connection that never sends a byte is closed', async () => {
  const server = await startServer();
  const limits = new ConnectionLimits(20002);
  try {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    limits.onConnection(socket);
    for (let check = 0; check < 6; check++) limits.closeStalled();
    expect(socket.destroyed).toBe(false);
    limits.closeStalled();
    expect(socket.destroyed).toBe(true);
  } finally {
    limits.stop();
    await server.close();
  }
});
