import { newId } from '../../lib/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Job, JobQueue, JobState, NewJob, FairShare } from '../../ports/job-queue.ts';
import type { Stamp } from '../../ports/audit-stamp.ts';
import type { Database, BatchStep, Sql } from './database.ts';
import { rowMapper, type Row } from './row.ts';
import { inOrderOf, joined, queryInChunks, raw, sql, type Statement } from './statement.ts';
import { BulkInsert } from './bulk-insert.ts';

const defaultAttempts = 4;
const firstDelayMs = 1000;
const maxDelayMs = 5 * 60_000;

const newJobs = new BulkInsert(
  'INSERT INTO job (id, kind, subject, payload, state, attempts, max_attempts, run_at, lease_until, worker, reason, owner, created_at, updated_at) VALUES',
  14,
);

/**
 * Adds a job in the caller's transaction, so that for example an item and its parse job are written together. Returns
 * the job's id.
 */
export async function addJob(tx: Sql, at: number, job: NewJob): Promise<string> {
  const id = newId('job');
  await tx.add(newJobs, [
    [
      id,
      job.kind,
      job.subject,
      JSON.stringify(job.payload ?? null),
      'queued',
      0,
      job.maxAttempts ?? defaultAttempts,
      job.runAt ?? at,
      null,
      null,
      '',
      job.owner ?? '',
      at,
      at,
    ],
  ]);
  return id;
}

interface JobEnd {
  readonly id: string;
  readonly worker: string;
  readonly at: number;
}

/**
 * Marks jobs as done, many in one statement. Returns for each job whether it was still running on the worker that ended
 * it. It was not if, for example, another worker had taken the job over.
 */
const endJobs: BatchStep<JobEnd, boolean> = async (tx, ends) => {
  const ended = new Set<string>();
  for (const worker of new Set(ends.map((end) => end.worker))) {
    const own = ends.filter((end) => end.worker === worker);
    const at = Math.max(...own.map((end) => end.at));
    const rows = await queryInChunks<{ id: string }>(
      own.map(({ id }) => id),
      (list) =>
        tx.all(sql`UPDATE job SET state = 'done', lease_until = NULL, reason = '', updated_at = ${at}
            WHERE id IN (${list}) AND worker = ${worker} AND state = 'running' RETURNING id`),
    );
    for (const { id } of rows) ended.add(`${worker} ${id}`);
  }
  return ends.map(({ id, worker }) => ended.has(`${worker} ${id}`));
};

const unlimitedShare: FairShare = { maxPerOwner: Number.POSITIVE_INFINITY, heldByOwner: new Map() };

type Conditions = readonly { readonly name: string; readonly isDue: Statement }[];

/**
 * Returns the conditions under which a job may be claimed, in order of precedence: its worker died, it is queued and
 * due, or it is new and only seems to start in the future, because the clock of the node that queued it is ahead.
 */
function dueConditions(now: number): Conditions {
  return [
    { name: 'expired', isDue: sql`state = 'running' AND lease_until < ${now}` },
    { name: 'waiting', isDue: sql`state = 'queued' AND run_at <= ${now}` },
    { name: 'early', isDue: sql`state = 'queued' AND run_at > ${now} AND run_at = created_at AND attempts = 0` },
  ];
}

export class SqlJobQueue implements JobQueue {
  readonly #db: Database;
  readonly #clock: Clock;
  /**
   * Owner (user for whom a job runs) of the job claimed last. Owners take turns, so the next claim starts with the
   * owner after this one.
   */
  #lastOwner = '';

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  enqueue(stamp: Stamp, job: NewJob): Promise<string> {
    return this.#db.write(
      stamp,
      {
        target: job.subject,
        isolation: 'repeatable read',
      },
      (tx) => addJob(tx, this.#clock.now(), job),
    );
  }

  async claim(
    ...[kinds, worker, leaseMs, limit, turns = unlimitedShare]: Parameters<JobQueue['claim']>
  ): Promise<Job[]> {
    if (kinds.length === 0) return [];
    const now = this.#clock.now();
    const kindList = { text: kinds.map(() => '?').join(', '), params: kinds };
    const conditions = dueConditions(now).map(({ name, isDue }) => ({
      name,
      isDue: sql`${isDue} AND kind IN (${kindList})`,
    }));
    const exists = conditions.map(({ name, isDue }) => sql`EXISTS (SELECT 1 FROM job WHERE ${isDue}) AS ${raw(name)}`);
    // First check by a read whether any job is due, so that polling an idle queue takes no write lock.
    const found = await this.#db.get<Record<string, number | boolean>>(sql`SELECT ${joined(exists)}`);
    const due = conditions.filter(({ name }) => found?.[name]).map(({ isDue }) => isDue);
    if (due.length === 0) return [];
    const rows = await this.#db.write(null, { lock: 'job-claim' }, async (tx) => {
      const ids = await this.#choose(tx, now, due, limit, turns);
      const taken = await queryInChunks<JobRow>(ids, (list) =>
        tx.all(sql`UPDATE job SET state = 'running', worker = ${worker}, attempts = attempts + 1,
          lease_until = ${now + leaseMs}, updated_at = ${now} WHERE id IN (${list}) RETURNING *`),
      );
      return inOrderOf(ids, taken);
    });
    return rows.map(toJob);
  }

  /**
   * Chooses the ids of the jobs to claim. The owners (users for whom jobs run) take turns. Each owner's jobs are read
   * through an index, so the cost does not grow with the queue's length.
   */
  async #choose(
    tx: Sql,
    now: number,
    conditions: readonly Statement[],
    limit: number,
    { maxPerOwner, heldByOwner }: FairShare,
  ): Promise<string[]> {
    const taken = new Map<string, string>();
    const had = new Map(heldByOwner);
    for (const isDue of conditions) {
      const owners = await this.#owners(tx, isDue, limit);
      for (const [place, owner] of owners.entries()) {
        const part = Math.max(1, Math.ceil((limit - taken.size) / (owners.length - place)));
        const room = Math.min(part, limit - taken.size, maxPerOwner - (had.get(owner) ?? 0));
        if (room < 1) continue;
        const before = taken.size;
        await this.#chooseOf(tx, now, sql`${isDue} AND owner = ${owner}`, room, taken);
        had.set(owner, (had.get(owner) ?? 0) + taken.size - before);
        this.#lastOwner = owner;
      }
    }
    return [...taken.values()];
  }

  /**
   * Returns up to `most` owners with due jobs, starting after the owner served last. The recursive query jumps in the
   * index from one owner to the next, so its cost does not grow with the number of jobs.
   */
  async #owners(tx: Sql, isDue: Statement, most: number): Promise<string[]> {
    const next = sql`SELECT job.owner FROM job WHERE ${isDue}`;
    const from = (first: '>' | '>=', owner: string): Promise<{ owner: string }[]> =>
      tx.all(sql`SELECT owner FROM (WITH RECURSIVE line(owner, place) AS (
        SELECT first.owner, 1 FROM (${next} AND job.owner ${raw(first)} ${owner} ORDER BY job.owner LIMIT 1) first
        UNION ALL
        SELECT (${next} AND job.owner > line.owner ORDER BY job.owner LIMIT 1), place + 1
        FROM line WHERE line.owner IS NOT NULL AND place < ${most})
        SELECT owner FROM line) AS owners WHERE owner IS NOT NULL`);
    const start = this.#lastOwner;
    // Run both queries at once, although the second one is often not needed, because on PostgreSQL another round trip
    // would cost more.
    const [after, all] = await Promise.all([from('>', start), from('>=', '')]);
    return [...after, ...all.filter(({ owner }) => owner <= start)].slice(0, most).map(({ owner }) => owner);
  }

  /**
   * Adds up to `room` due jobs of one owner to `taken`, a map from kind and subject to job id. `isDue` is the SQL
   * condition that selects the owner's due jobs.
   */
  async #chooseOf(tx: Sql, now: number, isDue: Statement, room: number, taken: Map<string, string>): Promise<void> {
    const full = taken.size + room;
    for (let after: DueRow | undefined; taken.size < full;) {
      const page: (DueRow & { is_busy: number | boolean })[] = await tx.all(sql`SELECT id, kind, subject, run_at,
        EXISTS (SELECT 1 FROM job other WHERE other.kind = job.kind AND other.subject = job.subject
          AND other.state = 'running' AND other.lease_until >= ${now}) AS is_busy
        FROM job WHERE ${isDue} AND (run_at, id) > (${after?.run_at ?? Number.MIN_SAFE_INTEGER}, ${after?.id ?? ''})
        ORDER BY run_at, id LIMIT ${room} ${raw(this.#db.dialect.skipLocked)}`);
      after = page.at(-1);
      for (const job of page) {
        // Jobs of the same kind and subject must not run concurrently. Therefore take only the first of them that is
        // due, and none if one of them is running.
        if (taken.size < full && !job.is_busy && !taken.has(aboutOf(job))) taken.set(aboutOf(job), job.id);
      }
      if (page.length < room) return;
    }
  }

  async heartbeat(id: string, worker: string, leaseMs: number): Promise<boolean> {
    const until = this.#clock.now() + leaseMs;
    const keep = "UPDATE job SET lease_until = ? WHERE id = ? AND worker = ? AND state = 'running'";
    return (await this.#db.write(null, { isolation: 'repeatable read' }, (tx) => tx.run(keep, until, id, worker))) > 0;
  }

  async complete(id: string, worker: string): Promise<boolean> {
    const end = { id, worker, at: this.#clock.now() };
    return this.#db.write(null, { lock: [], batch: 'job-ends' }, (tx) => tx.batched(endJobs, end));
  }

  async release(...[id, worker, reason, options = {}]: Parameters<JobQueue['release']>): Promise<JobState | undefined> {
    const now = this.#clock.now();
    return this.#db.write(null, { isolation: 'repeatable read' }, async (tx) => {
      const job = await tx.get<JobRow>(sql`SELECT * FROM job WHERE id = ${id} AND worker = ${worker}
          AND state = 'running'`);
      if (!job) return undefined;
      const state: JobState = options.isFinal || job.attempts >= job.max_attempts ? 'failed' : 'queued';
      const delay = options.delayMs ?? Math.min(maxDelayMs, firstDelayMs * 2 ** (job.attempts - 1));
      await tx.execute(sql`UPDATE job SET state = ${state}, reason = ${reason}, run_at = ${now + delay},
          lease_until = NULL, updated_at = ${now} WHERE id = ${id}`);
      return state;
    });
  }

  async requeue(job: Job, worker: string, delayMs = 0): Promise<boolean> {
    const now = this.#clock.now();
    // Use the number of attempts from the time of the claim and not the one in the row. If this worker lost the job's
    // lease and then claimed the job again, the row counts this attempt twice.
    const attempts = job.attempts - 1;
    return (
      (await this.#db.write(null, { isolation: 'repeatable read' }, (tx) =>
        tx.run(sql`UPDATE job SET state = 'queued', attempts = ${attempts}, run_at = ${now + delayMs}, lease_until = NULL,
        updated_at = ${now} WHERE id = ${job.id} AND worker = ${worker} AND state = 'running'`),
      )) > 0
    );
  }

  /**
   * Ends all leases of running jobs and returns their number. Only for SQLite, where a single process uses the
   * database, so that the processes that held these leases have ended.
   */
  async endLeases(): Promise<number> {
    const held = await this.#db.get("SELECT 1 AS found FROM job WHERE state = 'running' LIMIT 1");
    return held ? this.#db.write(null, (tx) => tx.run("UPDATE job SET lease_until = 0 WHERE state = 'running'")) : 0;
  }

  async deleteFinished(before: number): Promise<number> {
    const old = await this.#db.get(sql`SELECT 1 AS found FROM job WHERE state IN ('done', 'failed')
      AND updated_at < ${before} LIMIT 1`);
    return old
      ? this.#db.write(null, (tx) =>
          tx.run(sql`DELETE FROM job WHERE state IN ('done', 'failed') AND updated_at < ${before}`),
        )
      : 0;
  }

  async get(id: string): Promise<Job | undefined> {
    const row = await this.#db.get<JobRow>(sql`SELECT * FROM job WHERE id = ${id}`);
    return row && toJob(row);
  }

  async listBySubject(kind: string, subject: string): Promise<Job[]> {
    return (
      await this.#db.all<JobRow>(sql`SELECT * FROM job WHERE kind = ${kind} AND subject = ${subject}
        ORDER BY created_at, id`)
    ).map(toJob);
  }

  cancel(stamp: Stamp, kind: string, subject: string): Promise<number> {
    return this.#db.write(stamp, { target: subject }, (tx) =>
      tx.run(sql`DELETE FROM job WHERE kind = ${kind} AND subject = ${subject} AND state <> 'done'`),
    );
  }

  async counts(): Promise<Record<JobState, number>> {
    const counts: Record<JobState, number> = { queued: 0, running: 0, done: 0, failed: 0 };
    for (const row of await this.#db.all<{ state: JobState; n: number }>(
      'SELECT state, COUNT(*) AS n FROM job GROUP BY state',
    ))
      counts[row.state] = row.n;
    return counts;
  }
}

type JobRow = Row<Job>;

const toJob = rowMapper<Job>()(
  'id, kind, subject, state, attempts, max_attempts, run_at, lease_until, reason, owner, created_at, updated_at',
  { payload: (row: JobRow): unknown => JSON.parse(row.payload) },
);

type DueRow = Pick<JobRow, 'id' | 'kind' | 'subject' | 'run_at'>;

function aboutOf({ kind, subject }: DueRow): string {
  return `${kind} ${subject}`;
}
