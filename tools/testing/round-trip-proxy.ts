/**
 * A proxy between a server node and PostgreSQL that counts round trips and can drop traffic.
 *
 *     const proxy = await startRoundTripProxy(url);            // connect to proxy.url
 *     const trips = await proxy.countRoundTrips(work);         // over all connections
 *     proxy.cut();                                             // silently drops all traffic
 *     proxy.restore();                                         // closes all connections; new ones pass
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface RoundTripProxy {
  readonly url: string;
  countRoundTrips(work: () => Promise<unknown>): Promise<number>;
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startRoundTripProxy(url: string): Promise<RoundTripProxy> {
  const target = new URL(url);
  const pairs = new Set<[Socket, Socket]>();
  let turns = 0;
  let isCut = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    // True from a request until the next response. Further requests in this time belong to the same round trip.
    let isWaiting = false;
    near.on('data', (chunk: Buffer) => {
      if (isCut) return;
      // Do not count the query that notifies other nodes of a write, because the write does not wait for it.
      const isNews = chunk.includes('pg_notify(channel, news)');
      if (!isWaiting && !isNews) turns += 1;
      isWaiting = true;
      far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      if (isCut) return;
      isWaiting = false;
      near.write(chunk);
    });
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const own = new URL(url);
  own.port = String(port);
  const dropAll = (): void => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: own.href,
    async countRoundTrips(work) {
      const before = turns;
      await work();
      return turns - before;
    },
    cut() {
      isCut = true;
    },
    restore() {
      isCut = false;
      dropAll();
    },
    close: () =>
      new Promise((resolve) => {
        dropAll();
        server.close(() => resolve());
      }),
  };
}
