import type pg from 'pg';
import { Unavailable } from '../../../ports/unavailable.ts';
import { codeOf } from './errors.ts';

/**
 * A promotion and a recovery to a point in time begin a new timeline; the control file learns of it only with the next
 * checkpoint, the name of the log's file at once. Every role may ask for these.
 */
const identity = `SELECT c.system_identifier || ' ' || d.oid AS database, pg_is_in_recovery() AS is_standby,
    CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline
  FROM pg_control_system() c, pg_database d WHERE d.datname = current_database()`;
/** Not allowed, no such function, not supported: a server that only resembles PostgreSQL, or whose operator took the right away. */
const untold = new Set(['42501', '42883', '0A000']);
const askMs = 10_000;

interface Told {
  database: string;
  is_standby: boolean;
  timeline: string;
}

/** Which database this is, on which timeline; undefined where the server does not tell. */
export async function identityOf(client: pg.ClientBase): Promise<string | undefined> {
  const question = { text: identity, query_timeout: askMs };
  const rows = await client.query<Told>(question).then(
    (result) => result.rows,
    (error: unknown) => {
      if (!untold.has(codeOf(error))) throw error;
      return [];
    },
  );
  const [told] = rows;
  // What a standby lacks would be taken for gone.
  if (told?.is_standby) throw new Unavailable('the database is a standby that has not been promoted');
  return told && `${told.database} ${told.timeline}`;
}
