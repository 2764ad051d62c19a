import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Row } from './figures.ts';
import { startServer, type BenchPostgres } from './servers.ts';

/** Time in milliseconds after which a server without callers reduces its polling, plus a margin. */
const untilIdleMs = 110_000;
const minutes = 2;

/**
 * Starts a proxy that counts the statements sent to PostgreSQL: simple queries and executions of prepared ones. It
 * reads the protocol frames, each of which begins with its type and length.
 */
async function startStatementCounter(url: string): Promise<{ url: string; count: () => number; close: () => void }> {
  const target = new URL(url);
  let statements = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let rest = Buffer.alloc(0);
    let hasBegun = false;
    near.on('data', (chunk: Buffer) => {
      far.write(chunk);
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        // In PostgreSQL's protocol, only the first message of a client has no type byte before its length.
        const head = hasBegun ? 1 : 0;
        if (rest.length < head + 4) return;
        const length = head + rest.readInt32BE(head);
        if (rest.length < length) return;
        if (hasBegun && 'QE'.includes(String.fromCharCode(rest[0]!))) statements++;
        hasBegun = true;
        rest = rest.subarray(length);
      }
    });
    far.on('data', (chunk) => near.write(chunk));
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.port = String((server.address() as { port: number }).port);
  return {
    url: own.href,
    count: () => statements,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Measures an idle server: the number of database queries per minute and its processor time per minute. */
export async function measureIdleNode(postgres: BenchPostgres): Promise<Row[]> {
  const counter = await startStatementCounter(postgres.url);
  const server = await startServer({ postgres: { ...postgres, url: counter.url } });
  try {
    await sleep(untilIdleMs);
    const [before, cpuBefore] = [counter.count(), await server.metric('process_cpu_seconds_total')];
    await sleep(minutes * 60_000);
    const perMinute = (counter.count() - before) / minutes;
    const cpu = ((await server.metric('process_cpu_seconds_total')) - cpuBefore) / minutes;
    return [
      atMost('statements a minute', perMinute, 40, perMinute.toFixed(1)),
      { what: 'processor time of the node a minute', value: `${(cpu * 1000).toFixed(0)} ms` },
    ];
  } finally {
    await server.stop();
    counter.close();
  }
}
