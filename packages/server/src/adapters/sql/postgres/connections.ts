import type { Duplex } from 'node:stream';
import pg from 'pg';
import { nextTurn } from '../../../lib/background.ts';
import type { Incarnation } from '../incarnation.ts';
import { raise } from './errors.ts';
import { identityOf } from './identity.ts';

const int8 = 20;
/** What SUM of integers gives. */
const numeric = 1700;
const connectMs = 10_000;
const keepAliveMs = 10_000;

/**
 * How long the server waits for a node in the middle of a transaction: one that froze or lost its network holds its locks
 * and rows no longer than this (docs/decisions/connections.md).
 */
const idleInTransactionMs = 4_000;
/** For a lock that somebody else has; longer than a frozen node can hold it. */
const lockMs = 8_000;
const groupLockMs = 500;
const statementMs = 30_000;
/** After this a node gives up on a server that has gone silent: its own timeouts would have answered. */
const silentMs = statementMs + 5_000;
/** For a backup, which reads for as long as its disk takes. It holds a view and no locks. */
const snapshotMs = 600_000;

export interface Connections {
  readonly pool: pg.Pool;
  /**
   * Whether a pooler (PgBouncer) stands between: a connection may then be another one after every transaction, so that
   * nothing is kept in it, neither settings nor prepared statements.
   */
  readonly isPooled: boolean;
}

export async function openConnections(url: string, max: number, incarnation: Incarnation): Promise<Connections> {
  const isPooled = await goesThroughPooler(url);
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
    // No statement reaches another database than before, by way of a new connection, until what was remembered is forgotten.
    onConnect: async (client) => {
      const identity = await identityOf(client);
      if (identity !== undefined) incarnation.met(identity);
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

/** A pooler makes up the process number it tells a client at the start: it is not the one of the server's process. */
export async function goesThroughPooler(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sheaf',
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
  });
  // A connection that breaks here also fails the call below.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return (client as unknown as { processID: number | null }).processID !== rows[0]?.pid;
  } catch (error) {
    return raise(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export type Level = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';

/** The text that begins a write. Through a pooler every transaction brings its own timeouts along, in the same turn. */
export function beginWrite(level: Level, isPooled: boolean): string {
  const begin = `BEGIN ISOLATION LEVEL ${level}`;
  return isPooled ? `${begin}; ${timeouts(statementMs, lockMs, idleInTransactionMs)}` : begin;
}

/** Several writes in one transaction wait only briefly for somebody's lock: each by itself may wait longer, and for its own. */
export function beginGroup(isPooled: boolean): string {
  const begin = beginWrite('READ COMMITTED', isPooled);
  return `${begin}; SET LOCAL lock_timeout = ${groupLockMs}`;
}

/** A migration takes as long as it takes, and so does waiting for another node's. */
export const beginScript = `BEGIN; ${timeouts(0, 0, snapshotMs)}`;
export const beginSnapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${timeouts(snapshotMs, lockMs, snapshotMs)}`;

function timeouts(statement: number, lock: number, idle: number): string {
  return (
    `SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}; ` +
    `SET LOCAL idle_in_transaction_session_timeout = ${idle}`
  );
}

/** The longest time that the driver can wait, for statements without a limit. */
export const noLimitMs = 2 ** 31 - 1;

/**
 * Holds back what is sent over a connection until the end of this turn of the event loop: the statements of a transaction go
 * by one call of the system, and wake the server's process once.
 */
export function holder(client: pg.PoolClient): () => void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  let isHeld = false;
  return () => {
    if (isHeld) return;
    isHeld = true;
    stream.cork();
    nextTurn('sending statements', () => {
      isHeld = false;
      stream.uncork();
    });
  };
}
