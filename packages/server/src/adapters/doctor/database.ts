import type { Database } from '../sql/database.ts';
import { sql } from '../sql/statement.ts';
import { requiredSchemaSql } from '../sql/migrate.ts';
import { migrations } from '../sql/migrations/index.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

const oldestPostgres = 13;
const slowMs = 50;
/**
 * Clock difference between the database and this machine, in milliseconds, above which there is a warning. Leases
 * (time-limited locks) use the database's clock, whereas files and links use this machine's clock.
 */
const driftMs = 2_000;
const refusedDriftMs = 600_000;

/** Checks the version and settings of a PostgreSQL server, or the integrity of a SQLite file. */
export async function checkDatabase(database: Database, isFull: boolean): Promise<Finding[]> {
  const began = performance.now();
  await database.ping();
  const took = performance.now() - began;
  return database.dialect.name === 'postgres' ? onPostgres(database, took) : onSqlite(database, isFull);
}

async function onSqlite(database: Database, isFull: boolean): Promise<Finding[]> {
  // Read only the first row, which describes the damage, because reading all rows throws if the file is damaged.
  const row = await (isFull
    ? database.get<Record<string, string>>('PRAGMA integrity_check')
    : database.get<Record<string, string>>('PRAGMA quick_check'));
  const told = Object.values(row ?? {}).flatMap((said) => said.split('\n'));
  if (told.length !== 1 || told[0] !== 'ok')
    return [
      failure(
        'database',
        `the database file is damaged: ${told.slice(0, 3).join('; ')}`,
        'Stop the server, keep a copy of the data folder, and restore the newest backup into an empty one.',
      ),
    ];
  const version = await database.get<{ v: string }>('SELECT sqlite_version() AS v');
  return [ok('database', `SQLite ${version?.v}, the file is sound${isFull ? '' : ' at a quick look'}`)];
}

interface ServerSettings {
  version: number;
  shown: string;
  encoding: string;
  fsync: string;
  commits: string;
  pages: string;
  may_create: boolean;
  now: number;
}

async function onPostgres(database: Database, took: number): Promise<Finding[]> {
  const before = Date.now();
  const found = (await database.get<ServerSettings>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS shown,
       current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS commits, current_setting('full_page_writes') AS pages,
       has_schema_privilege(current_user, current_schema(), 'CREATE') AS may_create,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
  ))!;
  const here = (before + Date.now()) / 2;
  const findings: Finding[] = [];
  const says = `PostgreSQL ${found.shown} answers within ${Math.ceil(took)} ms`;
  if (Math.floor(found.version / 10_000) < oldestPostgres)
    findings.push(failure('database', says, `Upgrade it to PostgreSQL ${oldestPostgres} or newer.`));
  else if (took > slowMs)
    findings.push(warning('database', says, 'Run nodes in the same network as the database: a write takes two turns.'));
  else findings.push(ok('database', says));
  if (found.encoding !== 'UTF8')
    findings.push(
      failure('database', `its encoding is ${found.encoding}`, 'Create the database anew with ENCODING UTF8.'),
    );
  const unsafe = [
    found.fsync === 'off' ? 'fsync' : '',
    found.commits === 'off' ? 'synchronous_commit' : '',
    found.pages === 'off' ? 'full_page_writes' : '',
  ].filter((name) => name !== '');
  if (unsafe.length > 0)
    findings.push(
      failure(
        'durability',
        `${unsafe.join(', ')} is off: what was acknowledged may be gone after a power cut`,
        'Turn it on in postgresql.conf.',
      ),
    );
  findings.push(
    found.may_create
      ? ok('rights', 'the role may create tables, which upgrades need')
      : failure(
          'rights',
          'the role may not create tables, which the first start and upgrades need',
          'As the database’s owner: GRANT CREATE, USAGE ON SCHEMA public TO the role in SHEAF_DATABASE_URL.',
        ),
    clockFinding(here - found.now),
  );
  return findings;
}

function clockFinding(drift: number): Finding {
  const says = `this machine’s clock is ${Math.abs(drift / 1000).toFixed(1)} s ${drift < 0 ? 'behind' : 'ahead of'} the database’s`;
  const advice = 'Let all machines take the time from the same NTP servers.';
  if (Math.abs(drift) > refusedDriftMs) return failure('clock', says, advice);
  return Math.abs(drift) > driftMs ? warning('clock', says, advice) : ok('clock', says);
}

export interface SchemaState {
  readonly newest: number;
  /** Lowest migration number that a server must know to use the database. */
  readonly needed: number;
}

/** Returns the state of the schema, or undefined if the database has no schema yet. */
export async function readSchemaState(database: Database): Promise<SchemaState | undefined> {
  if (!(await hasTable(database, 'schema_version'))) return undefined;
  const newest = (await database.get<{ n: number | null }>('SELECT MAX(number) AS n FROM schema_version'))?.n ?? 0;
  // If the table `schema_support` is missing, the database was last migrated by a version that did not record which
  // migrations are required. Assume that a server must know every migration.
  if (!(await hasTable(database, 'schema_support'))) return { newest, needed: newest };
  return { newest, needed: (await database.get<{ needed: number | null }>(requiredSchemaSql))?.needed ?? 0 };
}

async function hasTable(database: Database, name: string): Promise<boolean> {
  const row =
    database.dialect.name === 'postgres'
      ? await database.get(sql`SELECT 1 AS one WHERE to_regclass(${name}) IS NOT NULL`)
      : await database.get(sql`SELECT 1 AS one FROM sqlite_schema WHERE name = ${name}`);
  return row !== undefined;
}

export function checkSchema(found: SchemaState | undefined): Finding {
  const known = migrations.at(-1)!.number;
  if (found === undefined)
    return warning('schema', 'the database is empty', 'Start the server once: it sets the database up.');
  const { newest, needed } = found;
  const newer = 'Install the newer version of sheaf here, as on the node that upgraded the database.';
  if (needed > known)
    return failure(
      'schema',
      `the database has schema version ${newest}, but this version of sheaf knows up to ${known}`,
      newer,
    );
  if (newest > known)
    return warning('schema', `schema version ${newest}, which this version of sheaf (${known}) can go on with`, newer);
  return newest < known
    ? warning('schema', `schema version ${newest}; the next start upgrades it to ${known}`, 'Make a backup before it.')
    : ok('schema', `schema version ${newest}`);
}

/** Checks whether PostgreSQL allows enough connections for all running nodes. Returns undefined for SQLite. */
export async function checkConnections(database: Database, ofOneNode: number): Promise<Finding | undefined> {
  if (database.dialect.name !== 'postgres') return undefined;
  const { most, nodes } = (await database.get<{ most: number; nodes: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
       (SELECT COUNT(*) FROM cluster_node WHERE lease_until > (extract(epoch FROM clock_timestamp()) * 1000)::bigint)::int AS nodes`,
  ))!;
  const wanted = Math.max(1, nodes) * ofOneNode;
  const says = `${nodes} nodes are running; with ${ofOneNode} connections each, ${wanted} of ${most} are needed`;
  return wanted > most
    ? warning(
        'connections',
        says,
        'Raise max_connections, lower SHEAF_DATABASE_CONNECTIONS, or put PgBouncer in front.',
      )
    : ok('connections', says);
}
