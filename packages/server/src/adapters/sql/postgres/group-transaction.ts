import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Param, Sql, CounterIncrement, WriteOptions } from '../database.ts';
import type { BulkInsert } from '../bulk-insert.ts';
import { isLockShared } from './lock-queue.ts';
import {
  auditRecords,
  auditInserts,
  claimInserts,
  runWriteBody,
  StrictSql,
  stampUser,
  type AuditRecord,
  type IdempotencyClaim,
  type RecordedStamps,
} from '../audit-recording.ts';
import { BatchSteps } from './batch-steps.ts';
import { combineInserts } from './combine-inserts.ts';
import { PipelinedSql, type Pipeline } from './pipeline.ts';

export interface GroupedWrite {
  readonly stamps: readonly Stamp[];
  readonly body: (tx: Sql) => Promise<unknown>;
  readonly options: WriteOptions<never>;
  readonly locks: readonly string[];
  alone(): Promise<void>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export type WriteOutcome = { result: unknown; claims: readonly IdempotencyClaim[] } | { error: unknown };

/**
 * Thrown when a group of writes, which share one transaction, failed and was rolled back. `culprits` are the writes
 * that made it fail; the set is empty if they are unknown.
 */
export class GroupFailed extends Error {
  readonly culprits: ReadonlySet<GroupedWrite>;

  constructor(culprits: ReadonlySet<GroupedWrite>, cause: unknown) {
    super('a write took its transaction with it', { cause });
    this.culprits = culprits;
  }
}

interface BodyRun {
  readonly write: GroupedWrite;
  readonly sql: PipelinedSql;
  missing: readonly Stamp[];
  outcome: WriteOutcome;
}

/**
 * Runs several writes in one transaction (a group). The writes run concurrently, so that the group takes about as many
 * round trips as one write. Only writes of the same call or with the same exclusive lock run one after another.
 *
 * Increments of the same counter are summed, and the counters are written at the end in a fixed order. Added rows are
 * inserted at the end with as few statements as possible. If a write fails before it has changed a row, only this write
 * is left out. If it fails later, the whole group fails.
 */
export async function runGroup(
  pipeline: Pipeline,
  writes: readonly GroupedWrite[],
  before: RecordedStamps,
): Promise<WriteOutcome[]> {
  const recorded = new Set<Stamp>();
  const order = new BodyOrder();
  const steps = new BatchSteps(pipeline);
  const runs: BodyRun[] = [];
  const under: Promise<void>[] = [];
  for (const write of writes) {
    const run: BodyRun = {
      write,
      sql: new PipelinedSql(pipeline, steps),
      missing: [],
      outcome: { result: undefined, claims: [] },
    };
    const start = async (): Promise<void> => {
      run.missing = before.missing(write.stamps).filter((stamp) => !recorded.has(stamp));
      await runBody(run, before.unclaimed(write.stamps));
      if ('result' in run.outcome) for (const stamp of run.missing) recorded.add(stamp);
    };
    runs.push(run);
    under.push(order.begin(write, start));
  }
  await Promise.all(under);
  const broken = runs.filter(({ outcome, sql }) => sql.isCulprit || ('error' in outcome && sql.hasChanged));
  if (broken.length > 0 || pipeline.hasFailed) throw new GroupFailed(writesOf(broken), pipeline.failure);
  const done = runs.filter(({ outcome }) => 'result' in outcome);
  const audit: AuditRecord[] = [];
  for (const { missing, outcome, write } of done)
    audit.push(...auditRecords(missing, (outcome as { result: unknown }).result as never, write.options.target));
  const end = new PipelinedSql(pipeline);
  for (const statement of combineInserts([...insertedRows(done), auditInserts(audit)])) await end.execute(statement);
  await applyIncrements(pipeline, done);
  const claims = done.flatMap(({ outcome }) => (outcome as { claims: readonly IdempotencyClaim[] }).claims);
  for (const statement of combineInserts([claimInserts(claims)])) await end.execute(statement);
  return runs.map(({ outcome }) => outcome);
}

/**
 * Orders the concurrent writes of one transaction, so that those with the same lock or of the same call run one after
 * another.
 */
class BodyOrder {
  readonly #lines = new Map<string | Stamp, { alone: readonly Promise<void>[]; interleaved: Promise<void>[] }>();

  /**
   * Starts a write after all earlier writes that have the same lock or belong to the same call (audit stamp) have
   * ended. Writes whose common lock is a shared lock do not wait for each other.
   */
  begin({ locks, stamps, options }: GroupedWrite, start: () => Promise<void>): Promise<void> {
    const interleaves = isLockShared(options);
    const before: Promise<void>[] = [];
    // Writes with the same stamp belong to the same call. They also run one after another, because only the first of
    // them adds the call's row to the audit log.
    for (const one of [...locks, ...stamps]) {
      const line = this.#lines.get(one);
      if (!line) continue;
      before.push(...line.alone);
      if (!interleaves || typeof one !== 'string') before.push(...line.interleaved);
    }
    const ended = before.length === 0 ? start() : Promise.all(before).then(start);
    for (const one of [...locks, ...stamps]) {
      const line = this.#lines.get(one);
      if (!interleaves || typeof one !== 'string') this.#lines.set(one, { alone: [ended], interleaved: [] });
      else if (line) line.interleaved.push(ended);
      else this.#lines.set(one, { alone: [], interleaved: [ended] });
    }
    return ended;
  }
}

async function runBody(run: BodyRun, unclaimed: readonly Stamp[]): Promise<void> {
  try {
    run.outcome = await runWriteBody(unclaimed, new StrictSql(run.sql, stampUser(run.write.stamps)), run.write.body);
  } catch (error) {
    run.outcome = { error };
  }
}

/** Collects, by table, the rows that all writes of the transaction insert, in the order in which they were added. */
function insertedRows(runs: readonly BodyRun[]): ReadonlyMap<BulkInsert, readonly (readonly Param[])[]> {
  const all = new Map<BulkInsert, (readonly Param[])[]>();
  for (const { sql } of runs) {
    for (const [table, rows] of sql.inserted) {
      const before = all.get(table);
      if (before) before.push(...rows);
      else all.set(table, [...rows]);
    }
  }
  return all;
}

async function applyIncrements(pipeline: Pipeline, runs: readonly BodyRun[]): Promise<void> {
  const sums = new Map<string, { increment: CounterIncrement; by: number[]; from: BodyRun[] }>();
  for (const run of runs) {
    for (const increment of run.sql.increments) {
      const sum = sums.get(increment.name);
      if (!sum) sums.set(increment.name, { increment, by: [...increment.by], from: [run] });
      else {
        increment.by.forEach((more, index) => (sum.by[index] = sum.by[index]! + more));
        sum.increment = increment;
        sum.from.push(run);
      }
    }
  }
  const names = [...sums.keys()].sort();
  const applied = names.map((name) => {
    const { increment, by } = sums.get(name)!;
    return increment.apply(new PipelinedSql(pipeline), by);
  });
  const results = await Promise.allSettled(applied);
  const refused = names.filter((_, index) => results[index]!.status === 'rejected');
  if (refused.length === 0) return;
  const culprits = pipeline.hasFailed ? [] : refused.flatMap((name) => sums.get(name)!.from);
  throw new GroupFailed(writesOf(culprits), pipeline.failure);
}

function writesOf(runs: readonly BodyRun[]): ReadonlySet<GroupedWrite> {
  return new Set(runs.map(({ write }) => write));
}
