import type pg from 'pg';
import { Unavailable } from '../../../ports/availability-errors.ts';
import { codeOf } from './errors.ts';

/**
 * Query for the identity of the database and of its timeline, by which a replaced database is recognized. PostgreSQL
 * begins a new timeline when a standby is promoted or a backup is restored to a point in time. The timeline is read
 * from the name of the current WAL file, because the control file shows a new timeline only after the next checkpoint.
 * By default, every database role may call these functions.
 */
const identity = `SELECT c.system_identifier || ' ' || d.oid AS database, pg_is_in_recovery() AS is_standby,
    CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline
  FROM pg_control_system() c, pg_database d WHERE d.datname = current_database()`;
/**
 * PostgreSQL error codes for insufficient privilege, undefined function and unsupported feature. If `identity` fails
 * with one of them, the server is not PostgreSQL, or its operator revoked the right to call these functions.
 */
const unsupportedCodes = new Set(['42501', '42883', '0A000']);
const queryMs = 10_000;

/**
 * Thrown if the database is a standby. A standby may lag behind, and its missing rows would be mistaken for deleted
 * ones.
 */
class StandbyDatabase extends Unavailable {
  readonly code = 'STANDBY';

  constructor() {
    super('the database is a standby that has not been promoted');
    this.name = 'StandbyDatabase';
  }
}

interface IdentityRow {
  database: string;
  is_standby: boolean;
  timeline: string;
}

/**
 * Returns the identity of the database and its timeline. Returns undefined if the server does not support the query.
 * Throws if the server is a standby.
 */
export async function readDatabaseIdentity(client: pg.ClientBase): Promise<string | undefined> {
  const question = { text: identity, query_timeout: queryMs };
  const rows = await client.query<IdentityRow>(question).then(
    (result) => result.rows,
    (error: unknown) => {
      if (!unsupportedCodes.has(codeOf(error))) throw error;
      return [];
    },
  );
  const [told] = rows;
  if (told?.is_standby) throw new StandbyDatabase();
  return told && `${told.database} ${told.timeline}`;
}
