import type { Duplex } from 'node:stream';
import pg from 'pg';
import { runInNextTurn } from '../../../lib/background-tasks.ts';
import type { Incarnation } from '../incarnation.ts';
import { throwTranslated } from './errors.ts';
import { readDatabaseIdentity } from './database-identity.ts';

const int8 = 20;
/** Type id of PostgreSQL's type `numeric`, which is the result type of SUM over integers. */
const numeric = 1700;
const connectMs = 10_000;
const keepAliveMs = 10_000;

/**
 * Time in milliseconds after which the server ends an idle transaction. A node that froze or lost its network can hold
 * locks for at most this time (docs/decisions/postgres-connections.md).
 */
const idleInTransactionMs = 4_000;
/**
 * Time in milliseconds that a statement waits for a lock. It is longer than the time for which a frozen node can hold a
 * lock, so that other writes only wait and do not fail.
 */
const lockMs = 8_000;
const groupLockMs = 500;
const statementMs = 30_000;
/**
 * Time in milliseconds after which the client gives up on a database server that does not respond. It is longer than
 * the server's own timeouts, so that the server's error is reported if it still sends one.
 */
const silentMs = statementMs + 5_000;
/**
 * Timeout in milliseconds for one statement of a backup, and for idle time during a backup or a migration. It is long,
 * because all of them may take minutes. A long backup does not disturb other work, because it reads a snapshot and
 * takes no locks.
 */
const snapshotMs = 600_000;

export interface ConnectionPool {
  readonly pool: pg.Pool;
  /**
   * Whether the connection goes through a pooler (PgBouncer). Each transaction may then use a different server
   * connection, so settings and prepared statements are lost after each transaction.
   */
  readonly isPooled: boolean;
}

export async function openConnectionPool(url: string, max: number, incarnation: Incarnation): Promise<ConnectionPool> {
  const isPooled = await isBehindPooler(url);
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, Number);
  types.setTypeParser(numeric, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: 'sheaf',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    query_timeout: silentMs,
    pipeline: true,
    // Check the identity of every new connection before its use, so that caches are cleared before data of another
    // database is read.
    onConnect: async (client) => {
      const identity = await readDatabaseIdentity(client);
      if (identity !== undefined) incarnation.observeIdentity(identity);
    },
    ...(isPooled
      ? {}
      : {
          statement_timeout: statementMs,
          lock_timeout: lockMs,
          idle_in_transaction_session_timeout: idleInTransactionMs,
        }),
  });
  return { pool, isPooled };
}

/**
 * Returns whether the connection goes through a pooler. If so, the process id reported at connect differs from the id
 * of the server process that runs the query.
 */
export async function isBehindPooler(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sheaf',
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
  });
  // Ignore the error event, because a broken connection also rejects the query below.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return (client as unknown as { processID: number | null }).processID !== rows[0]?.pid;
  } catch (error) {
    return throwTranslated(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export type IsolationLevel = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';

/**
 * Returns the statement that begins a write. Behind a pooler it also sets the timeouts, because they cannot be set once
 * for the whole connection. BEGIN and the timeouts are sent in one round trip.
 */
export function beginWrite(level: IsolationLevel, isPooled: boolean): string {
  const begin = `BEGIN ISOLATION LEVEL ${level}`;
  return isPooled ? `${begin}; ${timeouts(statementMs, lockMs, idleInTransactionMs)}` : begin;
}

/**
 * Returns the statement that begins a group of writes. Its lock timeout is short. When it expires, each write runs
 * alone and waits longer, but only for its own lock.
 */
export function beginGroup(isPooled: boolean): string {
  const begin = beginWrite('READ COMMITTED', isPooled);
  return `${begin}; SET LOCAL lock_timeout = ${groupLockMs}`;
}

/**
 * Statement that begins a migration script. It sets no statement or lock timeout, because a migration may take long,
 * and so may waiting for another node's migration.
 */
export const beginScript = `BEGIN; ${timeouts(0, 0, snapshotMs)}`;
export const beginSnapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${timeouts(snapshotMs, lockMs, snapshotMs)}`;

function timeouts(statement: number, lock: number, idle: number): string {
  return (
    `SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}; ` +
    `SET LOCAL idle_in_transaction_session_timeout = ${idle}`
  );
}

/** Maximum timeout that the driver accepts, in milliseconds. Used for statements without a time limit. */
export const noLimitMs = 2 ** 31 - 1;

/**
 * Returns a function that buffers a connection's output until the end of the current turn of the event loop. The
 * statements of a transaction are then sent by one system call and wake the server process only once.
 */
export function corkWrites(client: pg.PoolClient): () => void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  let isHeld = false;
  return () => {
    if (isHeld) return;
    isHeld = true;
    stream.cork();
    runInNextTurn('sending statements', () => {
      isHeld = false;
      stream.uncork();
    });
  };
}
