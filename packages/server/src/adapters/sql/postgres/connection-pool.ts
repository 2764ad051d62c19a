import type { Duplex } from 'node:stream';
import pg from 'pg';
import { runInNextTurn } from '../../../lib/background-tasks.ts';
import type { Incarnation } from '../incarnation.ts';
import { throwTranslated } from './errors.ts';
import { readDatabaseIdentity } from './database-identity.ts';

const int8 = 20;
/** Type of SUM over integers. */
const numeric = 1700;
const connectMs = 10_000;
const keepAliveMs = 10_000;

/**
 * How long the server keeps an idle transaction open: a node that froze or lost its network holds its locks no longer
 * than this (docs/decisions/postgres-connections.md).
 */
const idleInTransactionMs = 4_000;
/** Lock timeout; longer than a frozen node can hold a lock. */
const lockMs = 8_000;
const groupLockMs = 500;
const statementMs = 30_000;
/** Client timeout for a server that does not respond: longer than the server's own timeouts. */
const silentMs = statementMs + 5_000;
/** Timeout for a backup, which reads as long as its disk takes. It holds a snapshot and no locks. */
const snapshotMs = 600_000;

export interface ConnectionPool {
  readonly pool: pg.Pool;
  /**
   * Whether the connection goes through a pooler (PgBouncer). Each transaction may then get another connection, so
   * neither settings nor prepared statements can be kept.
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
    // Checks the identity of every new connection before use, so that caches are cleared before another database is
    // read.
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

/** Detects a pooler: the process id it reports at connect is not that of the server process. */
export async function isBehindPooler(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sheaf',
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
  });
  // A broken connection also rejects the call below.
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

export type Level = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';

/** Statement that begins a write. Through a pooler, every transaction sets its own timeouts in the same round trip. */
export function beginWrite(level: Level, isPooled: boolean): string {
  const begin = `BEGIN ISOLATION LEVEL ${level}`;
  return isPooled ? `${begin}; ${timeouts(statementMs, lockMs, idleInTransactionMs)}` : begin;
}

/**
 * Begins a group of writes with a short lock timeout: each write on its own may then wait longer, and only for its own
 * lock.
 */
export function beginGroup(isPooled: boolean): string {
  const begin = beginWrite('READ COMMITTED', isPooled);
  return `${begin}; SET LOCAL lock_timeout = ${groupLockMs}`;
}

/** Migrations, and waiting for another node's migration, have no time limit. */
export const beginScript = `BEGIN; ${timeouts(0, 0, snapshotMs)}`;
export const beginSnapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${timeouts(snapshotMs, lockMs, snapshotMs)}`;

function timeouts(statement: number, lock: number, idle: number): string {
  return (
    `SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}; ` +
    `SET LOCAL idle_in_transaction_session_timeout = ${idle}`
  );
}

/** Maximum timeout of the driver, for statements without a limit. */
export const noLimitMs = 2 ** 31 - 1;

/**
 * Buffers writes to a connection until the end of this turn of the event loop, so that a transaction's statements are
 * sent by one system call and wake the server process once.
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
