import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, atMost, report } from './measure/figures.ts';
import {
  callExported,
  onPostgres,
  rates,
  startBare,
  startServer,
  type BenchPostgres,
  type Rate,
  type Running,
} from './measure/servers.ts';

export { serveOnSlowDisk } from './measure/servers.ts';

/**
 * Compares the processor time of an API call with that of a bare route of the web framework fastify, in the same run.
 * Measures reads, durable writes by 64 callers, and durable writes with 5 ms added per disk sync. Both servers parse the
 * same requests and return the same bytes. They alternate, so that machine load affects both equally.
 *
 * The measured write is the operation account.create_key, which stores a row with three indexes and an audit row, and
 * creates two ids, a secret and its hash. With `postgres`, the data is in a PostgreSQL server started for the run, whose
 * processor time counts as the server's; its disk syncs get no extra delay.
 *
 *    npm run bench -- server [postgres]
 */
export function run(args: readonly string[]): Promise<void> {
  return onPostgres(args[0] === 'postgres', measure);
}

const callers = 64;
/**
 * Numbers of warm-up and measured runs. Warm-up runs let the code be compiled as in a long-running server. The measured
 * runs are short, so that the two compared servers alternate often.
 */
const turns = { warmUp: 4, runs: 10 };
const routes = `const id = (prefix) => prefix + '_000000000000000000000000';
const me = { user_id: id('user'), name: 'owner', role: 'owner', client_id: id('client'), scopes: { modules: ['*'], access: 'write' } };
app.post('/read', async () => ({ code: 0, msg: 'success', data: me }));
app.post('/write', async (request) => {
  const key = {
    key_id: id('key'), client_id: id('client'), name: request.body.name, modules: ['*'], access: 'write',
    create_time: Date.now(), expire_time: 0, last_used_time: 0, revoked: false,
  };
  return { code: 0, msg: 'success', data: { key, api_key: 'sk_' + '0'.repeat(52) } };
});`;

async function measure(postgres?: BenchPostgres): Promise<void> {
  const server = await startServer({ postgres });
  await sleep(5000);
  const idle = await server.memory();
  const bare = await startBare(routes);
  // A write takes longer on PostgreSQL, so send fewer requests.
  const amount = postgres ? 2000 : 10_000;
  const load = (of: Running, path: string, connections = callers) => ({
    server: of,
    path,
    body: path.endsWith('create_key') || path === '/write' ? { name: 'bench' } : {},
    connections,
    amount: Math.ceil((amount * connections) / callers),
  });
  const write = '/openapi/account/v1/create_key';
  const reads = await rates([load(bare, '/read'), load(server, '/openapi/account/v1/get_me')], turns);
  const writes = await rates([load(bare, '/write'), load(server, write)], turns);
  await bare.stop();
  if (!postgres) await server.stop();
  const slowed = postgres ? server : await startServer({ command: callExported('serveOnSlowDisk') });
  const [one, many] = await rates([load(slowed, write, 1), load(slowed, write)], turns);
  await slowed.stop();

  const n = (value: number) => `${Math.round(value)}/s`;
  const ratio = (what: string, [theirs, ours]: Rate[], goal: number) =>
    atLeast(
      what,
      ours!.cpu / theirs!.cpu,
      goal,
      `${(ours!.cpu / theirs!.cpu).toFixed(2)} by CPU time, ${(ours!.clock / theirs!.clock).toFixed(2)} by the clock (${n(ours!.clock)})`,
    );
  const both = (of: (rate: Rate) => number): string => `${n(of(reads[0]!))}, ${n(of(writes[0]!))}`;
  const grouped = many!.clock / one!.clock;
  report(`server${postgres ? ' on PostgreSQL' : ''}, ratios to a bare fastify route in the same run`, [
    {
      what: 'bare fastify: read, write',
      value: `${both(({ clock }) => clock)}; for a second of its processor time ${both(({ cpu }) => cpu)}`,
    },
    ratio('read operation (get_me), 64 callers', reads, 0.6),
    ratio('durable write (create_key), 64 callers', writes, 0.5),
    atLeast(
      `${postgres ? 'the same' : 'syncs slowed by 5 ms'}: 64 callers over one`,
      grouped,
      8,
      `${grouped.toFixed(1)} (${n(many!.clock)} over ${n(one!.clock)})`,
    ),
    atMost('idle memory', idle, 120, `${idle.toFixed(0)} MB`),
  ]);
}
