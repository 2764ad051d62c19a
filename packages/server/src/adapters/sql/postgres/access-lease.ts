import { randomText } from '../../../lib/ids.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Param } from '../database.ts';
import type { Incarnation } from '../incarnation.ts';
import { neededSchema } from '../migrate.ts';

/** How long a node may use its authentication cache, from when it requested the lease. */
export const leaseMs = 1_000;
/** Lease time in the database; longer, so that a clock adjustment does not end the lease early. */
export const keptMs = leaseMs + 250;
/** A node without a renewal for this long is removed. */
const forgottenMs = 3_600_000;

const now = '(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint';
/**
 * FOR SHARE: either this commits before the version increases, so that the revoking write finds the node and waits for
 * it, or the version returned here is the new one. A node reports the version it has acted on, not the one it is about
 * to read.
 */
const renewal = `WITH state AS (SELECT version FROM access_state WHERE one = 1 FOR SHARE),
  before AS (SELECT lease_until FROM cluster_node WHERE id = $1),
  kept AS (
    INSERT INTO cluster_node (id, seen, lease_until) SELECT $1, $2, ${now} + ${keptMs} FROM state
    ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, lease_until = excluded.lease_until RETURNING lease_until)
  SELECT version, (${neededSchema}) AS schema, ${now} AS now,
    (SELECT COUNT(*) FROM cluster_node WHERE id <> $1 AND lease_until > ${now}) AS others,
    (SELECT lease_until FROM before) AS before, (SELECT lease_until FROM kept) AS kept FROM state`;
export const grow = 'UPDATE access_state SET version = version + 1 WHERE one = 1 RETURNING version';
export const accessChannel = 'sheaf_access';
export const tellNodes = `SELECT pg_notify('${accessChannel}', version::text) FROM access_state WHERE one = 1`;
/** How many nodes may still answer by what they remembered before that version; the asking node has forgotten it already. */
export const stillUnaware = `SELECT COUNT(*) AS n FROM cluster_node WHERE seen < ? AND id <> ? AND lease_until > ${now}`;
const sweep = `DELETE FROM cluster_node WHERE lease_until < ${now} - ${forgottenMs}`;
const leave = 'DELETE FROM cluster_node WHERE id = $1';

interface Renewed {
  version: string;
  schema: string;
  now: string;
  others: string;
  /** Until when the lease was, as the database has it; null where it knows of none. */
  before: string | null;
  kept: string;
}

/** Asks on the connection that hears of events. */
export type Ask = <Row>(sql: string, values?: readonly Param[]) => Promise<Row[]>;

/**
 * What lets a node answer by what it remembers of callers and their rights: every other node waits, before it says that
 * somebody was suspended, until this one has heard of it or its lease has run out. Without a lease the database is asked.
 */
export class AccessLease implements Clock {
  readonly node = `node_${randomText(12)}`;
  #version: number | undefined;
  /** The newest version that was acted on: nothing from before it is answered by any more. */
  #seen = 0;
  /** When the lease that is held was asked for, by both clocks: one stands still while a machine sleeps, the other can be set. */
  #since = 0;
  #sinceWall = 0;
  #schema = 0;
  #others = 0;
  #time: { at: number; since: number } | undefined;
  readonly #incarnation: Incarnation;
  /** Until when the lease is that the database acknowledged last. One that has an earlier one, or none, was put back. */
  #kept: number | undefined;

  constructor(incarnation: Incarnation) {
    this.#incarnation = incarnation;
  }

  /** The version of what may be remembered; undefined without a lease. */
  version(): number | undefined {
    if (this.#version === undefined) return undefined;
    const isHeld = performance.now() - this.#since < leaseMs && Date.now() - this.#sinceWall < leaseMs;
    return isHeld ? this.#version : undefined;
  }

  /** Which step of the schema code must know to go on, as was seen last. */
  get schema(): number {
    return this.#schema;
  }

  /** How many nodes share the database, this one included, as was seen last. */
  get nodes(): number {
    return 1 + this.#others;
  }

  /** The database's time, which all nodes share, however their own clocks are set; one's own before it is known. */
  now(): number {
    return this.#time ? Math.round(this.#time.at + performance.now() - this.#time.since) : Date.now();
  }

  async renew(ask: Ask): Promise<void> {
    // What comes back may be new: the others must not take it for heard before it is acted on.
    for (let told = -1; told !== this.#seen;) {
      told = this.#seen;
      const [since, sinceWall] = [performance.now(), Date.now()];
      const incarnation = this.#incarnation.number;
      const [row] = await ask<Renewed>(renewal, [this.node, told]);
      if (!row) throw new Error('the database has no state of access');
      // What was asked before the database changed says nothing about the one there is.
      if (incarnation !== this.#incarnation.number) return;
      if (this.#isBehind(row, told)) return this.#incarnation.begin();
      this.#kept = Number(row.kept);
      this.#schema = Number(row.schema);
      this.#others = Number(row.others);
      // It was then, somewhere between asking and now: at most as late as if it had been at once.
      this.#time = { at: Number(row.now), since: performance.now() };
      this.#version = Number(row.version);
      this.#seen = Math.max(this.#seen, this.#version);
      this.#since = since;
      this.#sinceWall = sinceWall;
    }
  }

  #isBehind({ before, version }: Renewed, told: number): boolean {
    if (Number(version) < told) return true;
    return this.#kept !== undefined && (before === null || Number(before) < this.#kept);
  }

  /** The database is another one than before: what this node acted on is not what that one counts. */
  forget(): void {
    this.#version = undefined;
    this.#seen = 0;
    this.#kept = undefined;
  }

  /** Somebody may no longer be let in: what was remembered before is not answered by any more. */
  hear(version: number): void {
    this.#seen = Math.max(this.#seen, version);
    if (this.#version !== undefined && this.#version < version) this.#version = undefined;
  }

  async sweep(ask: Ask): Promise<void> {
    await ask(sweep);
  }

  async leave(ask: Ask): Promise<void> {
    this.#version = undefined;
    this.#kept = undefined;
    await ask(leave, [this.node]);
  }
}
