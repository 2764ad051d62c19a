import { randomText } from '../../../lib/ids.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Param } from '../database.ts';
import type { Incarnation } from '../incarnation.ts';
import { requiredSchemaSql } from '../migrate.ts';

/**
 * Time in milliseconds for which a node may use its cache of authentication results after it requested a lease. The
 * lease is the permission to use this cache.
 */
export const leaseMs = 1_000;
/**
 * Duration in milliseconds of the lease as stored in the database, where other nodes read it. It is longer than
 * `leaseMs`, so that the node stops using its cache before the stored lease ends, even if a clock is adjusted
 * meanwhile.
 */
export const storedLeaseMs = leaseMs + 250;
/** Time in milliseconds without a call after which a node gives up its lease. The next call takes a new one. */
export const restAfterMs = 5_000;
/** Interval in milliseconds at which a node without calls reports that it still runs. */
export const restingRenewalMs = 10_000;
/** Time in milliseconds for which a node without calls counts as running after its last report. */
const storedRestMs = 2.5 * restingRenewalMs;
/**
 * Value of the column `seen` for a node that does not use its cache. A revocation of access raises the access version
 * and waits until `seen` of every node has reached it. With this maximum value, no revocation waits for the node.
 */
const restingSeen = Number.MAX_SAFE_INTEGER;
/** Time in milliseconds without a renewal of its lease after which a node's row is deleted. */
const removedAfterMs = 3_600_000;

const now = '(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint';
/**
 * Statement that renews a node's lease and returns the current access version, a counter that every revocation of
 * access increments. `$2` becomes the node's `seen`: the newest version for which the node already ignores older cache
 * entries. It may be lower than the version that the statement returns.
 *
 * FOR SHARE makes the renewal and a revocation wait for each other, so there are only two cases. If the renewal commits
 * before the revocation increments the version, the revoking write finds the node and waits for it. Otherwise the
 * renewal returns the new version.
 */
const renewal = `WITH state AS (SELECT version FROM access_state WHERE one = 1 FOR SHARE),
  before AS (SELECT lease_until FROM cluster_node WHERE id = $1),
  kept AS (
    INSERT INTO cluster_node (id, seen, lease_until) SELECT $1, $2, ${now} + $3::bigint FROM state
    ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, lease_until = excluded.lease_until RETURNING lease_until)
  SELECT version, (${requiredSchemaSql}) AS schema, ${now} AS now,
    (SELECT COUNT(*) FROM cluster_node WHERE id <> $1 AND lease_until > ${now}) AS others,
    (SELECT lease_until FROM before) AS before, (SELECT lease_until FROM kept) AS kept FROM state`;
export const bumpVersion = 'UPDATE access_state SET version = version + 1 WHERE one = 1 RETURNING version';
export const accessChannel = 'sheaf_access';
export const notifyNodes = `SELECT pg_notify('${accessChannel}', version::text) FROM access_state WHERE one = 1`;
/**
 * Counts the other nodes that may still use an authentication cache older than the access version given as the first
 * `?`. The second `?` is this node's id.
 */
export const countStaleNodes = `SELECT COUNT(*) AS n FROM cluster_node WHERE seen < ? AND id <> ? AND lease_until > ${now}`;
const sweep = `DELETE FROM cluster_node WHERE lease_until < ${now} - ${removedAfterMs}`;
const leave = 'DELETE FROM cluster_node WHERE id = $1';

interface RenewalRow {
  version: string;
  schema: string;
  now: string;
  others: string;
  /** End of the node's previous lease according to the database. Null if the database has no row for the node. */
  before: string | null;
  kept: string;
}

export type RunQuery = <Row>(sql: string, values?: readonly Param[]) => Promise<Row[]>;

/**
 * Lets a node use its cache of authentication results while it holds a lease, which must be renewed continually. A
 * write that revokes access increments the access version and waits until every node has seen that version or its lease
 * has ended.
 *
 * Without a lease, a node reads the database at every request. A node without requests rests, that is, it gives up its
 * lease until the next request.
 */
export class AccessLease implements Clock {
  readonly node = `node_${randomText(12)}`;
  #version: number | undefined;
  /**
   * Newest access version that this node knows. The access version is a counter that every revocation of access
   * increments. Once the node knows a version, it uses no cache entries of an earlier one.
   */
  #seen = 0;
  /**
   * Time at which the current lease was requested, by the monotonic clock. `#sinceWall` is the same time by the system
   * clock. Both times are needed, because the monotonic clock stops while the machine sleeps, and the system clock can
   * be set.
   */
  #since = 0;
  #sinceWall = 0;
  #schema = 0;
  #others = 0;
  #time: { at: number; since: number } | undefined;
  readonly #incarnation: Incarnation;
  /**
   * End of the last lease that the database acknowledged. If the database later reports an earlier end or none, it was
   * restored from a backup.
   */
  #storedUntil: number | undefined;
  /** Time at which the lease was last used. */
  #usedAt = performance.now();
  #isResting = false;
  /**
   * Called when a client request arrives while the node rests, that is, has given up its lease because there were no
   * requests. Must start a renewal of the lease.
   */
  onWake: () => void = () => undefined;

  constructor(incarnation: Incarnation) {
    this.#incarnation = incarnation;
  }

  /**
   * Returns the access version, a counter that every revocation of access increments. Cached entries of an earlier
   * version must not be used. Returns undefined if the node holds no lease and so must not use its cache.
   */
  version(): number | undefined {
    this.#usedAt = performance.now();
    if (this.#isResting) {
      this.#isResting = false;
      this.onWake();
    }
    return this.#isCurrent(leaseMs) ? this.#version : undefined;
  }

  /**
   * Returns whether the last renewal was requested less than `ms` ago, by the monotonic clock and by the system
   * clock.
   */
  #isCurrent(ms: number): boolean {
    return performance.now() - this.#since < ms && Date.now() - this.#sinceWall < ms;
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  /**
   * Whether the node can use its cache of authentication results, for monitoring. True if it holds a lease, or if it
   * rests (it gave up the lease because there were no client requests) and has recently reported to the database.
   */
  get isAvailable(): boolean {
    return this.#isResting ? this.#isCurrent(storedRestMs) : this.#version !== undefined && this.#isCurrent(leaseMs);
  }

  /** Whether it is time for the periodic renewal. A node that rests because it had no calls renews less often. */
  get isRenewalDue(): boolean {
    return !this.#isResting || !this.#isCurrent(restingRenewalMs);
  }

  /** Lowest migration number that a server must know to use the database, as of the last renewal of the lease. */
  get schema(): number {
    return this.#schema;
  }

  /**
   * Number of nodes that share the database, including this one, as of the last renewal. A node without a lease assumes
   * at least one other, because its last renewal may be some seconds old.
   */
  get nodes(): number {
    return Math.max(1 + this.#others, this.#version === undefined ? 2 : 1);
  }

  /**
   * Returns the database's time in milliseconds, which all nodes share. Before the first renewal, returns this
   * machine's time.
   */
  now(): number {
    return this.#time ? Math.round(this.#time.at + performance.now() - this.#time.since) : Date.now();
  }

  async renew(ask: RunQuery): Promise<void> {
    // Each renewal reports the newest access version that this node has seen and acted on, and may return a newer one.
    // Repeat until no newer one is returned.
    for (let told = -1; told !== this.#seen;) {
      const rests = this.#rests();
      told = this.#seen;
      const [since, sinceWall] = [performance.now(), Date.now()];
      const incarnation = this.#incarnation.number;
      const [row] = await ask<RenewalRow>(renewal, [
        this.node,
        rests ? restingSeen : told,
        rests ? storedRestMs : storedLeaseMs,
      ]);
      if (!row) throw new Error('the database has no state of access');
      // Ignore the result if the database was replaced after the query started.
      if (incarnation !== this.#incarnation.number) return;
      if (this.#isBehind(row, told)) return this.#incarnation.begin();
      this.#storedUntil = Number(row.kept);
      this.#schema = Number(row.schema);
      this.#others = Number(row.others);
      // The database read its time between the request and now, so the derived clock is behind by at most the round
      // trip.
      this.#time = { at: Number(row.now), since: performance.now() };
      this.#seen = Math.max(this.#seen, Number(row.version));
      this.#since = since;
      this.#sinceWall = sinceWall;
      if (!rests) this.#version = Number(row.version);
      // If a call arrived during the renewal, the node no longer rests. Renew again and report the version on which
      // this node has acted, so that revocations wait for the node.
      else if (!this.#isResting) told = -1;
    }
  }

  /**
   * Decides whether the node rests, that is, gives up its lease because there were no client requests for a while. Must
   * be called before the renewal is sent. Revocations do not wait for a node that reports that it rests, so the node
   * must stop using its cache before it reports this.
   */
  #rests(): boolean {
    this.#isResting = performance.now() - this.#usedAt >= restAfterMs;
    if (this.#isResting) this.#version = undefined;
    return this.#isResting;
  }

  #isBehind({ before, version }: RenewalRow, told: number): boolean {
    if (Number(version) < told) return true;
    return this.#storedUntil !== undefined && (before === null || Number(before) < this.#storedUntil);
  }

  /**
   * Discards the lease and its versions. Called after the database was replaced, because a new database counts versions
   * differently.
   */
  reset(): void {
    this.#version = undefined;
    this.#seen = 0;
    this.#storedUntil = undefined;
  }

  /**
   * Records that a revocation of access raised the access version to `version`. Cached entries of earlier versions are
   * then no longer used.
   */
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
