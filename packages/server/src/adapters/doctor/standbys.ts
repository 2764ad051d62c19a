import type { Database } from '../sql/database.ts';
import { ok, warning, type Finding } from './finding.ts';

interface Replication {
  standbys: number;
  names: string;
  commits: string;
}

/**
 * Reports whether acknowledged writes can be lost when a standby (a replica of the database) takes over from the
 * primary server. Returns undefined on SQLite, and if PostgreSQL neither has nor expects a standby.
 */
export async function checkStandbys(database: Database): Promise<Finding | undefined> {
  if (database.dialect.name !== 'postgres') return undefined;
  // Count a standby without a state as streaming, because a role without pg_read_all_stats sees the rows but not the
  // state.
  const found = (await database.get<Replication>(
    `SELECT (SELECT COUNT(*) FROM pg_stat_replication WHERE COALESCE(state, 'streaming') = 'streaming')::int AS standbys,
       current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS commits`,
  ))!;
  const { standbys, names, commits } = found;
  const shown = standbys === 1 ? '1 standby' : `${standbys} standbys`;
  if (names === '') {
    const promoted = standbys === 1 ? 'it is promoted' : 'one is promoted';
    return standbys === 0
      ? undefined
      : ok('standbys', `${shown}, asynchronous: the last acknowledged writes may be missing when ${promoted}`);
  }
  if (commits === 'local' || commits === 'off')
    return warning(
      'standbys',
      `synchronous_commit is ${commits}: writes do not wait for the synchronous standby`,
      'Set synchronous_commit = on in postgresql.conf, and for the role in SHEAF_DATABASE_URL if it has its own.',
    );
  if (standbys === 0)
    return warning(
      'standbys',
      'synchronous_standby_names is set and no standby is connected: writes wait until one is',
      'Bring the standby back; to go on without one, empty synchronous_standby_names and reload.',
    );
  return ok(
    'standbys',
    `${shown}, synchronous: what was acknowledged is on ${standbys === 1 ? 'it' : 'those that writes wait for'}`,
  );
}
