import { describe, expect, test } from 'vitest';
import { IpAddressSet } from '../../src/lib/ip-address-set.ts';
import { networkOf } from '../../src/transports/http/request.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

/** Stands still: no token comes back during a test. */
const clock = { now: () => 1_800_000_000_000 };

/** The statuses of so many calls, each with another wrong key. */
async function guess(server: TestServer, times: number, from?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    const response = await fetch(`${server.url}/openapi/account/v1/get_me`, {
      method: 'POST',
      headers: {
        'svc-openapi-clientid': 'x',
        'svc-openapi-apikey': `sk_${i}`,
        ...(from ? { 'x-forwarded-for': from } : {}),
      },
    });
    statuses.push(response.status);
  }
  return statuses;
}

async function codes(server: TestServer, times: number, key = server.owner): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push((await server.call('http', 'account', 'get_me', {}, key)).code);
  return found;
}

/** Twice: the first may be one that was under way already. */
async function shared(server: TestServer): Promise<void> {
  await server.app.limits.exchange();
  await server.app.limits.exchange();
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

describe('[T45] limits', () => {
  test('[finding R15] a hundred wrong keys from one address, then 20002 with Retry-After; a right key is let in all the same', async () => {
    const server = await startServer({ database: 'sqlite', clock });
    const { data } = await server.call('http', 'account', 'create_key', { name: 'not used yet' });
    expect(await guess(server, 102)).toEqual([...times(100, 401), 429, 429]);
    expect(await codes(server, 1)).toEqual([0]);
    const unused = await fetch(`${server.url}/openapi/account/v1/get_me`, {
      method: 'POST',
      headers: { 'svc-openapi-clientid': data.key.client_id, 'svc-openapi-apikey': data.api_key },
    });
    expect([unused.status, ((await unused.json()) as { code: number }).code]).toEqual([200, 0]);
    const response = await fetch(`${server.url}/openapi/account/v1/get_me`, {
      method: 'POST',
      headers: { 'svc-openapi-apikey': 'sk_wrong' },
    });
    expect([response.headers.get('retry-after'), await response.json()]).toMatchObject([
      '1',
      { code: 20002, msg: 'too many failed authentication attempts from this address; try again in 1 s', data: {} },
    ]);
    await server.close();
  });

  test('[finding R15] an IPv6 network counts as one address', async () => {
    const server = await startServer({
      database: 'sqlite',
      clock,
      config: { SHEAF_TRUSTED_PROXIES: new IpAddressSet(['127.0.0.0/8', '::1']) },
    });
    const statuses: number[] = [];
    for (let i = 0; i < 101; i++)
      statuses.push(...(await guess(server, 1, `2001:db8:1:2:${i.toString(16)}::${i + 1}`)));
    expect(statuses.filter((status) => status === 429).length).toBe(1);
    expect(await guess(server, 1, '2001:db8:1:3::1')).toEqual([401]);
    await server.close();
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['anything', 'anything'],
  ])('the network of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('behind a proxy that is trusted everybody is counted for themselves, by what no client can write', async () => {
    const server = await startServer({
      database: 'sqlite',
      clock,
      config: { SHEAF_TRUSTED_PROXIES: new IpAddressSet(['127.0.0.0/8', '::1', '10.0.0.7']) },
    });
    expect((await guess(server, 101, '203.0.113.5')).at(-1)).toBe(429);
    expect(await guess(server, 1, '1.2.3.4, 203.0.113.5, 10.0.0.7')).toEqual([429]);
    expect(await guess(server, 1, '203.0.113.5, 203.0.113.6')).toEqual([401]);
    await server.close();
    const open = await startServer({ database: 'sqlite', clock });
    await guess(open, 100, '203.0.113.5');
    expect(await guess(open, 1, '203.0.113.6')).toEqual([429]);
    await open.close();
  });

  test('a key over its rate is told so; another key is not', async () => {
    const server = await startServer({ database: 'sqlite', clock, config: { SHEAF_RATE_LIMIT: 2 } });
    const other = await server.newUser();
    const used = 2;
    expect(await codes(server, 9)).toEqual([...times(8 - used, 0), ...times(1 + used, 20002)]);
    expect(await codes(server, 1, other)).toEqual([0]);
    await server.close();
  });

  test('[finding R15] listing tools takes from the same limit as calling them', async () => {
    const server = await startServer({ database: 'sqlite', clock, config: { SHEAF_RATE_LIMIT: 2 } });
    const list = async (): Promise<[number, string | null, number | undefined]> => {
      const answer = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: server.owner.apiKey },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
      return [
        answer.status,
        answer.headers.get('retry-after'),
        ((await answer.json()) as { error?: { code: number } }).error?.code,
      ];
    };
    const answers = await Promise.all(Array.from({ length: 10 }, list));
    expect(answers.slice(0, 8)).toEqual(times(8, [200, null, undefined]));
    expect(answers.slice(8)).toEqual(times(2, [429, '1', -32000]));
    expect(await codes(server, 1)).toEqual([20002]);
    await server.close();
  });

  test('they outlast a restart', async () => {
    const folder = await temporaryFolder();
    const config = { SHEAF_RATE_LIMIT: 2 };
    const first = await startServer({ database: 'sqlite', folder, clock, config });
    expect((await codes(first, 9)).at(-1)).toBe(20002);
    await guess(first, 100);
    await first.close();
    const again = await startServer({ database: 'sqlite', folder, clock, config });
    expect(await guess(again, 1)).toEqual([429]);
    expect(again.app.signInLimits.addresses.secondsToWait('127.0.0.1')).toBe(0);
    await again.close();
    const later = await startServer({ database: 'sqlite', folder, clock: { now: () => clock.now() + 60_000 }, config });
    expect(await guess(later, 1)).toEqual([401]);
    await later.close();
  });

  test('two nodes share them: what one took, the other cannot give again', async () => {
    const databaseUrl = await freshPostgres();
    const config = { SHEAF_RATE_LIMIT: 5 };
    const first = await startServer({ database: 'postgres', databaseUrl, clock, config });
    const second = await startServer({ database: 'postgres', databaseUrl, clock, config });
    expect(await codes(first, 20)).toEqual(times(20, 0));
    expect(await codes(second, 12, first.owner)).toEqual(times(12, 0));
    await shared(first);
    await shared(second);
    expect(await codes(second, 1, first.owner)).toEqual([20002]);

    // A node hears of the others when it has something to tell: whatever was told by itself meanwhile, this is.
    expect((await guess(first, 99)).at(-1)).toBe(401);
    await shared(first);
    expect(await guess(second, 1)).toEqual([401]);
    await shared(second);
    expect(await guess(second, 1)).toEqual([429]);
    await second.close();
    await first.close();
  });

  test('a database that does not answer makes nobody wait: what could not be told is told later', async () => {
    const server = await startServer({ database: 'sqlite', clock, config: { SHEAF_RATE_LIMIT: 2 } });
    await guess(server, 3);
    const database = server.app.database as { write: unknown };
    const write = database.write;
    database.write = () => Promise.reject(new Error('gone'));
    await server.app.limits.exchange();
    expect(await guess(server, 1)).toEqual([401]);
    database.write = write;
    await server.app.limits.exchange();
    expect(await server.app.database.all("SELECT bucket, tokens FROM rate_limit WHERE bucket LIKE 'guess %'")).toEqual([
      { bucket: 'guess 127.0.0.1', tokens: 96_000 },
    ]);
    await server.close();
  });
});
