import { resolve } from 'node:path';
import { SqlAccountStore } from '../adapters/sql/account-store.ts';
import { AuditPartitions } from '../adapters/sql/audit-partitions.ts';
import type { Database } from '../adapters/sql/database.ts';
import { SqlIdempotencyStore } from '../adapters/sql/idempotency-store.ts';
import { SqlIdentityStore } from '../adapters/sql/identity-store.ts';
import { SqlCommentStore } from '../adapters/sql/inbox/comment-store.ts';
import { SqlInboxStore } from '../adapters/sql/inbox/inbox-store.ts';
import { loadInstallationSecret } from '../adapters/sql/installation-secret.ts';
import { SqlJobQueue } from '../adapters/sql/job-queue.ts';
import { SqlBlobAccounting } from '../adapters/sql/blob-accounting.ts';
import { migrate } from '../adapters/sql/migrate.ts';
import { SqlOAuthStore } from '../adapters/sql/oauth-store.ts';
import type { SqliteOptions } from '../adapters/sql/sqlite/database.ts';
import { lockDataFolder } from '../adapters/sql/sqlite/data-folder-lock.ts';
import { SqlChangeLog } from '../adapters/sql/change-log.ts';
import { SqlMemoryStore } from '../adapters/sql/memory-store.ts';
import { SqlProfileStore } from '../adapters/sql/profile-store.ts';
import { SqlGroupStore } from '../adapters/sql/permissions/group-store.ts';
import { SqlPermissionStore } from '../adapters/sql/permissions/permission-store.ts';
import { SqlPublicLinkStore } from '../adapters/sql/permissions/public-link-store.ts';
import { SqlTaskStore } from '../adapters/sql/task-store.ts';
import { SqlTitleLookup } from '../adapters/sql/title-lookup.ts';
import { SqlWebhookStore } from '../adapters/sql/webhooks/webhook-store.ts';
import type { Config } from '../config.ts';
import { RecentActivity } from '../kernel/recent-activity.ts';
import { runInBackground, runDelayed } from '../lib/background-tasks.ts';
import type { Logger } from '../lib/logger.ts';
import type { CoreServices } from './core-services.ts';
import { openBlobs } from './open-blobs.ts';
import { openDatabase } from './open-database.ts';
import { certificateGauge } from './certificate-gauge.ts';
import { databaseHealthGauges } from './database-health-gauges.ts';
import { diskGauges } from './disk-gauges.ts';
import type { ResourceStack } from './resource-stack.ts';
import { storeGauges } from './store-gauges.ts';

export type RunJobs = boolean | 'if nobody else does';

/**
 * Returns whether this process runs background jobs. With PostgreSQL, all nodes may run jobs. With a data folder, only
 * one process may run them, so this process must first lock the folder. Throws if jobs are required and another process
 * holds the lock.
 */
export async function acquireJobLock(config: Config, wanted: RunJobs, opened: ResourceStack): Promise<boolean> {
  if (wanted === false) return false;
  if (config.SHEAF_DATABASE_URL) return true;
  const folder = resolve(config.SHEAF_DATA);
  const lock = await lockDataFolder(folder);
  if (!lock && wanted === true)
    throw new Error(`another sheaf server is using ${folder}; stop it first, or set SHEAF_DATA to a different folder`);
  if (lock) opened.add('the lock of the data folder', lock, () => lock.release());
  return lock !== undefined;
}

export type StorageServices = Awaited<ReturnType<typeof openStorage>>;

/**
 * Opens the database and migrates its schema. Opens the store of blobs, and the stores that do not belong to a single
 * module.
 */
export async function openStorage({ config, clock, log }: CoreServices, sqlite: SqliteOptions, opened: ResourceStack) {
  const parts = await openDatabase(config, log, sqlite);
  const {
    database,
    events,
    openSearch,
    searchDatabase,
    leaseClock = clock,
    nodes = () => 1,
    neededSchema,
    gauges = [],
  } = parts;
  opened.add('the database', database, () => database.close());
  if (searchDatabase) opened.add('the connections of the search', searchDatabase, () => searchDatabase.close());
  opened.add('the event bus', events, () => events.close());
  const schema = await migrate(database);
  await parts.begin?.();
  const accounts = new SqlAccountStore(database);
  const permissions = new SqlPermissionStore(database);
  const secret = await loadInstallationSecret(database);
  database.incarnation.onChange(() => {
    log.warn({}, 'the database was put back (a promoted standby or a restore): what was remembered of it is forgotten');
    runInBackground('looking at the database that was put back', () => acceptDatabase(database, secret, log));
  });
  let storeErrors = 0;
  const blobs = await openBlobs(config, () => storeErrors++);
  return {
    database,
    events,
    /**
     * Tells whether something was written lately on any node, so that background work queries the database less often
     * when idle. Undefined on SQLite, where another process may write without sending an event.
     */
    activity: database.dialect.name === 'postgres' ? new RecentActivity(events) : undefined,
    openSearch,
    blobs,
    accounts,
    apps: new SqlOAuthStore(database),
    identities: new SqlIdentityStore(database, () => accounts.invalidateCache()),
    audit: new AuditPartitions(database),
    calls: new SqlIdempotencyStore(database),
    jobs: new SqlJobQueue(database, leaseClock),
    leaseClock,
    nodes,
    /**
     * Returns whether a newer version of sheaf has migrated the database to a schema that this version does not
     * support. This node then reports that it is not ready.
     */
    isOutdated: () => (neededSchema?.() ?? 0) > schema,
    measures: [
      ...gauges,
      ...(config.SHEAF_S3_ENDPOINT ? storeGauges(blobs, () => storeErrors) : []),
      ...diskGauges(resolve(config.SHEAF_DATA)),
      ...certificateGauge(config.SHEAF_PUBLIC_URL),
      ...databaseHealthGauges(database, leaseClock),
    ],
    blobAccounting: new SqlBlobAccounting(database),
    tasks: new SqlTaskStore(database, leaseClock),
    titles: new SqlTitleLookup(database, (userId) => permissions.notesSharedWith(userId)),
    memories: new SqlMemoryStore(database),
    profiles: new SqlProfileStore(database),
    webhooks: new SqlWebhookStore(database, leaseClock),
    publicLinks: new SqlPublicLinkStore(database),
    comments: new SqlCommentStore(database),
    inboxStore: new SqlInboxStore(database),
    permissions,
    changeLog: new SqlChangeLog(database, permissions, leaseClock),
    groups: new SqlGroupStore(database, () => permissions.notifyChange()),
    secret,
  };
}

/**
 * Called when the database was replaced, for example by a restored backup, which may need migrations. If the database
 * belongs to another installation, ends the process, because the secret of that installation is loaded only at the
 * start.
 */
async function acceptDatabase(database: Database, secret: Buffer, log: Logger): Promise<void> {
  await migrate(database);
  if ((await loadInstallationSecret(database)).equals(secret)) return;
  log.error({}, 'the database is that of another installation; exiting, to be started anew with it');
  process.exitCode = 1;
  runDelayed('ending with another database', 100, () => process.exit(1));
}
