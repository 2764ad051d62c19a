import { randomText } from '../../../lib/ids.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Param } from '../database.ts';
import type { Incarnation } from '../incarnation.ts';
import { requiredSchemaSql } from '../migrate.ts';

/** How long a node may use its authentication cache, from when it requested the lease. */
export const leaseMs = 1_000;
/** Lease time in the database; longer, so that a clock adjustment does not end the lease early. */
export const storedLeaseMs = leaseMs + 250;
/** A node without a renewal for this long is removed. */
const removedAfterMs = 3_600_000;

const now = '(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint';
/**
 * FOR SHARE: either this commits before the version increases, so that the revoking write finds the node and waits for
 * it, or the version returned here is the new one. A node reports the version it has acted on, not the one it is about
 * to read.
 */
const renewal = `WITH state AS (SELECT version FROM access_state WHERE one = 1 FOR SHARE),
  before AS (SELECT lease_until FROM cluster_node WHERE id = $1),
  kept AS (
    INSERT INTO cluster_node (id, seen, lease_until) SELECT $1, $2, ${now} + ${storedLeaseMs} FROM state
    ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, lease_until = excluded.lease_until RETURNING lease_until)
  SELECT version, (${requiredSchemaSql}) AS schema, ${now} AS now,
    (SELECT COUNT(*) FROM cluster_node WHERE id <> $1 AND lease_until > ${now}) AS others,
    (SELECT lease_until FROM before) AS before, (SELECT lease_until FROM kept) AS kept FROM state`;
export const bumpVersion = 'UPDATE access_state SET version = version + 1 WHERE one = 1 RETURNING version';
export const accessChannel = 'sheaf_access';
export const notifyNodes = `SELECT pg_notify('${accessChannel}', version::text) FROM access_state WHERE one = 1`;
/** Number of other nodes that may still use an authentication cache older than that version. */
export const countStaleNodes = `SELECT COUNT(*) AS n FROM cluster_node WHERE seen < ? AND id <> ? AND lease_until > ${now}`;
const sweep = `DELETE FROM cluster_node WHERE lease_until < ${now} - ${removedAfterMs}`;
const leave = 'DELETE FROM cluster_node WHERE id = $1';

interface RenewalRow {
  version: string;
  schema: string;
  now: string;
  others: string;
  /** End of the previous lease according to the database; null if it has none. */
  before: string | null;
  kept: string;
}

/** Runs a query on the event bus's connection. */
export type RunQuery = <Row>(sql: string, values?: readonly Param[]) => Promise<Row[]>;

/**
 * A lease that allows a node to use its authentication cache. A write that revokes access waits until every node has
 * seen it or its lease has expired. Without a lease, the node queries the database.
 */
export class AccessLease implements Clock {
  readonly node = `node_${randomText(12)}`;
  #version: number | undefined;
  /** The newest version acted on; cache entries from before it are not used. */
  #seen = 0;
  /**
   * When the current lease was requested, by both clocks: the monotonic clock stops while the machine sleeps, and the
   * system clock can be set.
   */
  #since = 0;
  #sinceWall = 0;
  #schema = 0;
  #others = 0;
  #time: { at: number; since: number } | undefined;
  readonly #incarnation: Incarnation;
  /** End of the last lease that the database acknowledged. A database that has an earlier one, or none, was restored. */
  #storedUntil: number | undefined;

  constructor(incarnation: Incarnation) {
    this.#incarnation = incarnation;
  }

  /** Version that cached entries must have; undefined without a lease. */
  version(): number | undefined {
    if (this.#version === undefined) return undefined;
    const isHeld = performance.now() - this.#since < leaseMs && Date.now() - this.#sinceWall < leaseMs;
    return isHeld ? this.#version : undefined;
  }

  /** Minimum schema version that code must know, as last read. */
  get schema(): number {
    return this.#schema;
  }

  /** Number of nodes that share the database, including this one, as last read. */
  get nodes(): number {
    return 1 + this.#others;
  }

  /** The database's time, which all nodes share; this machine's time until the first renewal. */
  now(): number {
    return this.#time ? Math.round(this.#time.at + performance.now() - this.#time.since) : Date.now();
  }

  async renew(ask: RunQuery): Promise<void> {
    // Repeats until the reported version is the one acted on: the renewal may return a newer version, which must not be
    // reported before this node acts on it.
    for (let told = -1; told !== this.#seen;) {
      told = this.#seen;
      const [since, sinceWall] = [performance.now(), Date.now()];
      const incarnation = this.#incarnation.number;
      const [row] = await ask<RenewalRow>(renewal, [this.node, told]);
      if (!row) throw new Error('the database has no state of access');
      // The query started before the database was replaced, so its result is void.
      if (incarnation !== this.#incarnation.number) return;
      if (this.#isBehind(row, told)) return this.#incarnation.begin();
      this.#storedUntil = Number(row.kept);
      this.#schema = Number(row.schema);
      this.#others = Number(row.others);
      // The time was read between the request and now, so this clock lags by at most the round trip.
      this.#time = { at: Number(row.now), since: performance.now() };
      this.#version = Number(row.version);
      this.#seen = Math.max(this.#seen, this.#version);
      this.#since = since;
      this.#sinceWall = sinceWall;
    }
  }

  #isBehind({ before, version }: RenewalRow, told: number): boolean {
    if (Number(version) < told) return true;
    return this.#storedUntil !== undefined && (before === null || Number(before) < this.#storedUntil);
  }

  /** Called when the database was replaced: the versions of the old one mean nothing to the new one. */
  reset(): void {
    this.#version = undefined;
    this.#seen = 0;
    this.#storedUntil = undefined;
  }

  /** Called when access was revoked: cached entries older than the version are no longer used. */
  observeVersion(version: number): void {
    this.#seen = Math.max(this.#seen, version);
    if (this.#version !== undefined && this.#version < version) this.#version = undefined;
  }

  async removeExpiredNodes(ask: RunQuery): Promise<void> {
    await ask(sweep);
  }

  async release(ask: RunQuery): Promise<void> {
    this.#version = undefined;
    this.#storedUntil = undefined;
    await ask(leave, [this.node]);
  }
}
