import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { InProcessEventBus } from '../../src/adapters/events/in-process-bus.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import {
  AccessLease,
  bumpVersion,
  countStaleNodes,
  restAfterMs,
  restingRenewalMs,
  type RunQuery,
} from '../../src/adapters/sql/postgres/access-lease.ts';
import { openPostgres, type PostgresDatabase } from '../../src/adapters/sql/postgres/database.ts';
import { changesTopic } from '../../src/kernel/change-signal.ts';
import { RecentActivity } from '../../src/kernel/recent-activity.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';

afterEach(() => vi.useRealTimers());

async function open(): Promise<{ database: PostgresDatabase; ask: RunQuery; statements: () => number }> {
  const database = await openPostgres(await freshPostgres(), { connections: 2 });
  onTestFinished(() => database.close());
  await migrate(database);
  let count = 0;
  const ask: RunQuery = async <Row>(text: string, values: readonly unknown[] = []) => {
    count++;
    return (await database.pool.query(text, [...values])).rows as Row[];
  };
  return { database, ask, statements: () => count };
}

/** Lets the clocks that a lease reads pass, and nothing else. */
const pass = (ms: number): unknown => vi.advanceTimersByTime(ms);

async function revoke(database: PostgresDatabase): Promise<number> {
  return (await database.get<{ version: number }>(bumpVersion))!.version;
}

const waitsFor = async (database: PostgresDatabase, version: number): Promise<number> =>
  Number((await database.get<{ n: number }>(countStaleNodes, version, 'another node'))!.n);

test('a node that nobody calls gives its lease up: no revocation waits for it, and it knows the newest version when called', async () => {
  const { database, ask } = await open();
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const lease = new AccessLease(database.incarnation);
  let woken = 0;
  lease.onWake = () => woken++;
  await lease.renew(ask);
  const before = lease.version();
  expect(before).toBeDefined();
  expect(await waitsFor(database, await revoke(database))).toBe(1);

  pass(restAfterMs);
  await lease.renew(ask);
  expect([lease.isResting, lease.isAvailable, lease.isRenewalDue]).toEqual([true, true, false]);
  const revoked = await revoke(database);
  expect(await waitsFor(database, revoked)).toBe(0);
  pass(restingRenewalMs);
  expect(lease.isRenewalDue).toBe(true);

  // The first call looks everything up, and has the lease taken again.
  expect([lease.version(), woken, lease.isResting]).toEqual([undefined, 1, false]);
  await lease.renew(ask);
  expect(lease.version()).toBe(revoked);
  expect(await waitsFor(database, await revoke(database))).toBe(1);
});

test('a call during the renewal of a resting node gets no lease that revocations do not wait for', async () => {
  const { database, ask, statements } = await open();
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const lease = new AccessLease(database.incarnation);
  await lease.renew(ask);
  pass(restAfterMs);
  const sent = statements();
  let during: number | undefined = 0;
  const calledMeanwhile: RunQuery = async (text, values) => {
    const rows = await ask(text, values);
    if (statements() === sent + 1) during = lease.version();
    return rows as never;
  };
  await lease.renew(calledMeanwhile);
  expect(during).toBeUndefined();
  expect(statements()).toBe(sent + 2);
  expect(lease.version()).toBeDefined();
  expect(await waitsFor(database, await revoke(database))).toBe(1);
});

test('a resting node assumes that there are others, because it may not have heard of them yet', async () => {
  const { database, ask } = await open();
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const lease = new AccessLease(database.incarnation);
  await lease.renew(ask);
  expect(lease.nodes).toBe(1);
  pass(restAfterMs);
  await lease.renew(ask);
  expect(lease.nodes).toBe(2);
  lease.version();
  await lease.renew(ask);
  expect(lease.nodes).toBe(1);
});

test('pollers rest after a quiet time, and a write on any node ends it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const events = new InProcessEventBus();
  const activity = new RecentActivity(events, 1000);
  let resumed = 0;
  activity.onResume(() => resumed++);
  expect(activity.isQuiet).toBe(false);
  pass(1000);
  expect(activity.isQuiet).toBe(true);
  await events.publish(changesTopic, {});
  await expect.poll(() => activity.isQuiet).toBe(false);
  expect(resumed).toBe(1);
  activity.note();
  expect(resumed).toBe(1);
});
