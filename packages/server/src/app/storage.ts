import { resolve } from 'node:path';
import type { Measure } from '../adapters/metrics/prometheus.ts';
import { SqlAccountStore } from '../adapters/sql/account-store.ts';
import { AuditMonths } from '../adapters/sql/audit-months.ts';
import type { Database } from '../adapters/sql/database.ts';
import { SqlCallStore } from '../adapters/sql/call-store.ts';
import { SqlIdentityStore } from '../adapters/sql/identity-store.ts';
import { installationSecret } from '../adapters/sql/installation-secret.ts';
import { SqlJobQueue } from '../adapters/sql/job-queue.ts';
import { SqlKeptObjects } from '../adapters/sql/kept-objects.ts';
import { migrate } from '../adapters/sql/migrate.ts';
import { SqlOAuthStore } from '../adapters/sql/oauth-store.ts';
import type { SqliteOptions } from '../adapters/sql/sqlite/database.ts';
import { lockForServing } from '../adapters/sql/sqlite/serving-lock.ts';
import { SqlPublicLinkStore } from '../adapters/sql/sheets/public-links.ts';
import { SqlTaskStore } from '../adapters/sql/task-store.ts';
import { SqlWebhookStore } from '../adapters/sql/webhooks/store.ts';
import type { Config } from '../config.ts';
import { inBackground, later } from '../lib/background.ts';
import type { Log } from '../lib/log.ts';
import type { Base } from './base.ts';
import { openBlobs } from './blobs.ts';
import { openDatabase } from './database.ts';
import { measuresOf } from './measures.ts';
import type { Opened } from './opened.ts';

export type RunJobs = boolean | 'if nobody else does';

/** Whether this process runs jobs. Nodes on PostgreSQL share them; with a data folder, only one process may. */
export async function claimJobs(config: Config, wanted: RunJobs, opened: Opened): Promise<boolean> {
  if (wanted === false) return false;
  if (config.SHEAF_DATABASE_URL) return true;
  const folder = resolve(config.SHEAF_DATA);
  const lock = await lockForServing(folder);
  if (!lock && wanted === true)
    throw new Error(`another sheaf server is using ${folder}; stop it first, or set SHEAF_DATA to a different folder`);
  if (lock) opened.add('the lock of the data folder', lock, () => lock.release());
  return lock !== undefined;
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** Opens the database with its current schema, the object store, and the stores that belong to no module. */
export async function openStorage({ config, clock, log }: Base, sqlite: SqliteOptions, opened: Opened) {
  const parts = await openDatabase(config, log, sqlite);
  const {
    database,
    events,
    openSearch,
    searching,
    leaseClock = clock,
    nodes = () => 1,
    neededSchema,
    measures = [],
  } = parts;
  opened.add('the database', database, () => database.close());
  if (searching) opened.add('the connections of the search', searching, () => searching.close());
  opened.add('the event bus', events, () => events.close());
  const schema = await migrate(database);
  await parts.begin?.();
  const accounts = new SqlAccountStore(database);
  const secret = await installationSecret(database);
  database.incarnation.onChange(() => {
    log.warn({}, 'the database was put back (a promoted standby or a restore): what was remembered of it is forgotten');
    inBackground('looking at the database that was put back', () => acceptDatabase(database, secret, log));
  });
  let storeErrors = 0;
  const blobs = await openBlobs(config, () => storeErrors++);
  const storeMeasures: Measure[] = [
    {
      name: 'sheaf_store_errors',
      help: 'Requests to the object store that failed, since the start.',
      read: () => storeErrors,
    },
    {
      name: 'sheaf_store_up',
      help: 'Whether the object store answers: 1, or 0.',
      ask: () => blobs.ping().then(() => 1),
      away: 0,
    },
  ];
  return {
    database,
    events,
    openSearch,
    blobs,
    accounts,
    apps: new SqlOAuthStore(database),
    identities: new SqlIdentityStore(database, () => accounts.forget()),
    audit: new AuditMonths(database),
    calls: new SqlCallStore(database),
    jobs: new SqlJobQueue(database, leaseClock),
    leaseClock,
    nodes,
    /** Whether a newer version of sheaf has upgraded the schema, so that this version must stop using it. */
    isOutdated: () => (neededSchema?.() ?? 0) > schema,
    measures: [...measures, ...(config.SHEAF_S3_ENDPOINT ? storeMeasures : []), ...measuresOf(database, leaseClock)],
    kept: new SqlKeptObjects(database),
    tasks: new SqlTaskStore(database, leaseClock),
    webhooks: new SqlWebhookStore(database, leaseClock),
    publicLinks: new SqlPublicLinkStore(database),
    secret,
  };
}

/**
 * Called when the database was replaced. A backup may need migrations. A database of another installation has another
 * secret, which only a restart can load, so the process exits.
 */
async function acceptDatabase(database: Database, secret: Buffer, log: Log): Promise<void> {
  await migrate(database);
  if ((await installationSecret(database)).equals(secret)) return;
  log.error({}, 'the database is that of another installation; exiting, to be started anew with it');
  process.exitCode = 1;
  later('ending with another database', 100, () => process.exit(1));
}
