import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test, onTestFinished, vi } from 'vitest';
import { InProcessEventBus } from '../../src/adapters/events/in-process-bus.ts';
import { channelOf } from '../../src/adapters/events/listened-channels.ts';
import { PostgresEventBus } from '../../src/adapters/events/postgres-bus.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import type { Logger } from '../../src/lib/logger.ts';
import type { EventBus } from '../../src/ports/event-bus.ts';
import { freshPostgres, postgresAdmin } from '@sheaf/tools/testing/postgres.ts';

class Lines implements Logger {
  readonly lines: string[] = [];
  debug = (): void => undefined;
  info = (_: object, message = ''): number => this.lines.push(message);
  warn = this.info;
  error = this.info;
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !condition(); turn++) await sleep(5);
}

async function node(url: string, log: Logger = new Lines()): Promise<PostgresEventBus> {
  const database = await openPostgres(url, { connections: 2 });
  const bus = new PostgresEventBus(url, database.pool, log);
  await bus.connect();
  onTestFinished(async () => {
    await bus.close();
    await database.close();
  });
  return bus;
}

const buses: [string, (log?: Logger) => Promise<EventBus>][] = [
  ['in one process', async (log) => new InProcessEventBus(log)],
  ['on postgres', async (log) => node(await freshPostgres(), log)],
];

for (const [name, open] of buses) {
  describe(`event bus ${name}`, () => {
    test('listeners of the topic hear events in order, as copies', async () => {
      const bus = await open();
      const heard: unknown[] = [];
      bus.subscribe('sheet', (data) => heard.push(data));
      bus.subscribe('note', (data) => heard.push(['note', data]));
      const event = { id: 1, text: "it's 中文" };
      await bus.publish('sheet', event);
      event.id = 99;
      for (let id = 2; id <= 20; id++) await bus.publish('sheet', { id });
      await bus.publish('note', null);
      await until(() => heard.length === 21);
      expect(heard).toEqual([
        { id: 1, text: "it's 中文" },
        ...Array.from({ length: 19 }, (_, index) => ({ id: index + 2 })),
        ['note', null],
      ]);
    });

    test('what is told at the same time is heard in order, each by itself, long ones and equal ones too', async () => {
      const bus = await open();
      const heard: unknown[] = [];
      bus.subscribe('sheet', (data) => heard.push(data));
      const told = Array.from({ length: 150 }, (_, id) =>
        id % 7 === 0 ? 'again' : { id, text: 'ü'.repeat((id * 37) % 3000) },
      );
      await Promise.all(told.map((data) => bus.publish('sheet', data)));
      await until(() => heard.length === told.length);
      expect(heard).toEqual(told);
    });

    test('whoever stops listening hears no more, and others go on', async () => {
      const bus = await open();
      const first: unknown[] = [];
      const second: unknown[] = [];
      const listener = (data: unknown): number => second.push(data);
      const stop = bus.subscribe('t', (data) => first.push(data));
      const stopOnce = bus.subscribe('t', listener);
      bus.subscribe('t', listener);
      await bus.publish('t', 1);
      await until(() => second.length === 2);
      stop();
      stop();
      stopOnce();
      await bus.publish('t', 2);
      await until(() => second.length === 3);
      expect(first).toEqual([1]);
      expect(second).toEqual([1, 1, 2]);
    });

    test('a listener that throws is reported and keeps nobody else from hearing', async () => {
      const log = new Lines();
      const bus = await open(log);
      const heard: unknown[] = [];
      bus.subscribe('t', () => {
        throw new Error('faulty');
      });
      bus.subscribe('t', (data) => heard.push(data));
      await bus.publish('t', 1);
      await bus.publish('t', 2);
      await until(() => heard.length === 2);
      expect(heard).toEqual([1, 2]);
      expect(log.lines).toEqual(['an event listener failed', 'an event listener failed']);
    });

    test('an event that is too large is refused', async () => {
      const bus = await open();
      const heard: unknown[] = [];
      bus.subscribe('t', (data) => heard.push(data));
      await expect(bus.publish('t', 'x'.repeat(7000))).rejects.toThrow(
        'data: an event must be at most 7000 bytes as JSON (t got 7023)',
      );
      await bus.publish('t', '中'.repeat(2300));
      await until(() => heard.length === 1);
      expect(heard).toEqual(['中'.repeat(2300)]);
    });
  });
}

test('in one process an event that somebody hears is refused exactly when its text is too long', async () => {
  const bus = new InProcessEventBus();
  bus.subscribe('t', () => undefined);
  const refuses = async (data: unknown): Promise<boolean> =>
    bus.publish('t', data).then(
      () => false,
      () => true,
    );
  expect(await refuses('x'.repeat(6977))).toBe(false);
  expect(await refuses('x'.repeat(6978))).toBe(true);
  expect(await refuses('\0'.repeat(1163))).toBe(true);
  expect(await refuses(Object.assign([], { length: 1400 }))).toBe(true);
  expect(await refuses({ a: { toJSON: () => 'x'.repeat(7000) } })).toBe(true);
  expect(await refuses({ a: 1n })).toBe(true);
  const pieces = fc
    .string({ unit: 'binary', maxLength: 20 })
    .chain((piece) => fc.integer({ min: 1, max: 900 }).map((times) => piece.repeat(times)));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        pieces,
        fc.jsonValue(),
        fc.array(pieces, { maxLength: 4 }),
        fc.dictionary(pieces, fc.jsonValue(), { maxKeys: 3 }),
        fc.array(fc.double(), { maxLength: 900 }),
      ),
      async (data) => {
        expect(await refuses(data)).toBe(Buffer.byteLength(JSON.stringify({ topic: 't', data })) > 7000);
      },
    ),
    { numRuns: 300 },
  );
});

describe('event bus on postgres, several nodes', () => {
  test('every node hears what one publishes, itself included', async () => {
    const url = await freshPostgres();
    const nodes = [await node(url), await node(url)];
    const heard: string[][] = [[], []];
    nodes.forEach((bus, index) => bus.subscribe('t', (data) => heard[index]!.push(String(data))));
    await nodes[0]!.publish('t', 'from 0');
    await nodes[1]!.publish('t', 'from 1');
    await until(() => heard.every((list) => list.length === 2));
    expect(heard).toEqual([
      ['from 0', 'from 1'],
      ['from 0', 'from 1'],
    ]);
  });

  test('[finding Q20] a node receives the events of topics that it has listeners for, and not those of other objects', async () => {
    const url = await freshPostgres();
    const [teller, other] = [await node(url), await node(url)];
    const received = vi.spyOn(pg.Client.prototype, 'emit');
    onTestFinished(() => received.mockRestore());
    const heard: unknown[] = [];
    const stop = other.subscribe('sheet:heard', (data) => heard.push(data));
    await other.ready(['sheet:heard']);
    const unheard = Array.from({ length: 40 }, (_, id) => `sheet:${id}`).filter(
      (topic) => channelOf(topic) !== channelOf('sheet:heard'),
    );
    await Promise.all(unheard.map((topic) => teller.publish(topic, { topic })));
    await teller.publish('sheet:heard', 1);
    await until(() => heard.length === 1);
    const notifications = (): number => received.mock.calls.filter(([name]) => String(name) === 'notification').length;
    expect([heard, notifications()]).toEqual([[1], 1]);
    // A topic without an object concerns every node.
    await teller.publish('everybody', 2);
    await until(() => notifications() === 3);
    expect(notifications()).toBe(3);
    stop();
    expect(other.ready(['sheet:heard', 'everybody'])).toBeUndefined();
  });

  test('[finding Q20] what is published once a topic is ready is heard, also over a connection opened again', async () => {
    const url = await freshPostgres();
    const log = new Lines();
    const [teller, other] = [await node(url), await node(url, log)];
    const heard: string[] = [];
    for (let id = 0; id < 30; id++) {
      const topic = `note:${id}`;
      other.subscribe(topic, () => heard.push(topic));
      await other.ready([topic]);
      await teller.publish(topic, {});
    }
    await until(() => heard.length === 30);
    expect(heard).toEqual(Array.from({ length: 30 }, (_, id) => `note:${id}`));
    await postgresAdmin(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND application_name = $2',
      [new URL(url).pathname.slice(1), 'sheaf events'],
    );
    await until(() => log.lines.includes('event connection restored'));
    for (let id = 0; id < 30; id++) await teller.publish(`note:${id}`, {});
    await until(() => heard.length === 60);
    expect(heard).toHaveLength(60);
  });

  test('[T75] a connection that the server drops is opened again and events arrive again', async () => {
    const url = await freshPostgres();
    const log = new Lines();
    const bus = await node(url, log);
    const heard: unknown[] = [];
    bus.subscribe('t', (data) => heard.push(data));
    await postgresAdmin(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND application_name = $2',
      [new URL(url).pathname.slice(1), 'sheaf events'],
    );
    await until(() => log.lines.includes('event connection restored'));
    expect(log.lines).toEqual(['event connection lost, reconnecting', 'event connection restored']);
    await bus.publish('t', 'again');
    await until(() => heard.length === 1);
    expect(heard).toEqual(['again']);
  });
});

test('on postgres: what is told in one moment is one notification, which does not wait for the disk', async () => {
  const url = await freshPostgres();
  const database = await openPostgres(url, { connections: 1 });
  const bus = new PostgresEventBus(url, database.pool, new Lines());
  await bus.connect();
  onTestFinished(async () => {
    await bus.close();
    await database.close();
  });
  const ear = new pg.Client({ connectionString: url });
  await ear.connect();
  onTestFinished(() => ear.end());
  const heard: string[] = [];
  ear.on('notification', ({ payload }) => heard.push(payload!));
  await ear.query('LISTEN sheaf_events');
  await Promise.all(Array.from({ length: 30 }, (_, id) => bus.publish('sheet', { id })));
  await until(() => heard.length > 0);
  expect(heard.map((text) => (JSON.parse(text) as { data: { id: number } }[]).map(({ data }) => data.id))).toEqual([
    Array.from({ length: 30 }, (_, id) => id),
  ]);
  // Only that transaction is hurried: the connection is as it was.
  expect(await database.all('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
});
