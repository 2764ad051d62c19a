import { resolve } from 'node:path';
import { PrometheusMetrics } from './adapters/metrics/prometheus.ts';
import { freeDescriptors, Readiness, writableDisk } from './adapters/readiness.ts';
import type { Database } from './adapters/sql/database.ts';
import type { SqliteOptions } from './adapters/sql/sqlite/database.ts';
import { OwnFiles } from './adapters/web/own-files.ts';
import { SealedUploadCredentials } from './adapters/uploads/credentials.ts';
import { SignedLinks } from './adapters/uploads/links.ts';
import { SecretSealer } from './adapters/uploads/sealer.ts';
import { openLog, type Base } from './app/base.ts';
import { openCallers } from './app/callers.ts';
import type { EndpointState } from './app/embedding.ts';
import { startHousekeeping } from './app/housekeeping.ts';
import { openJobs } from './app/jobs.ts';
import { openNotes } from './app/notes.ts';
import { Opened } from './app/opened.ts';
import { openSearch } from './app/search.ts';
import { openSheets } from './app/sheets.ts';
import { claimJobs, openStorage, type RunJobs, type Storage } from './app/storage.ts';
import { openWiki } from './app/wiki.ts';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import { tellBackgroundFailures } from './lib/background.ts';
import type { Log } from './lib/log.ts';
import { PublicAddress } from './lib/public-address.ts';
import { modules as allModules } from './modules.ts';
import type { Authenticator } from './operation/authenticate.ts';
import { callLimit, Invoker } from './operation/invoke.ts';
import type { Metrics } from './operation/metrics.ts';
import { Registry, type Module } from './operation/module.ts';
import { CallTasks } from './operation/tasks.ts';
import { PublicDoor } from './operation/public-door.ts';
import type { SharedLimits } from './operation/shared-limits.ts';
import type { SignInTries } from './operation/sign-in-tries.ts';
import type { AppConnections } from './operation/oauth.ts';
import type { SignIn } from './operation/sign-in.ts';
import type { SingleSignOn } from './operation/single-sign-on.ts';
import { systemClock, type Clock } from './ports/clock.ts';
import { NotWritable } from './ports/unavailable.ts';
import type { Sealer } from './ports/uploads.ts';

/** The running product without a transport (HTTP, MCP, command line). */
export interface App {
  readonly config: Config;
  readonly registry: Registry;
  readonly services: Services;
  readonly invoker: Invoker;
  readonly authenticator: Authenticator;
  /** Authenticates requests that come with a public link instead of a key. */
  readonly publicDoor: PublicDoor;
  readonly limits: SharedLimits;
  readonly signInTries: SignInTries;
  readonly metrics: Metrics;
  readonly signIn: SignIn;
  readonly connections: AppConnections;
  /** Calls that outlive their request (MCP tasks). */
  readonly tasks: CallTasks;
  /** Undefined if no provider is configured. */
  readonly sso: SingleSignOn | undefined;
  /** Encrypts the authorization request in the consent form, so that the browser cannot alter it. */
  readonly consents: Sealer;
  readonly database: Database;
  readonly address: PublicAddress;
  /**
   * Returns warnings about shared dependencies that are down for all nodes; rejects with NotReady if this node cannot
   * serve.
   */
  ready(): Promise<readonly string[]>;
  /** Takes no new jobs and waits, up to a limit, for running jobs and tasks. */
  finishJobs(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  clock?: Clock;
  log?: Log;
  /** Modules to use instead of the product's; for tests. */
  modules?: Record<string, Module>;
  sqlite?: SqliteOptions;
  /** Script of the parser processes; tests replace it to simulate crashes. */
  parserScript?: string;
  /**
   * Whether jobs run in this process; with a data folder, only one process may. False for short commands. True throws
   * if another process runs them.
   */
  runJobs?: RunJobs;
}

/**
 * Composition root: the only place that chooses adapters and wires them. If a part fails to open, those already open
 * are closed.
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const opened = new Opened();
  try {
    return await openApp(config, options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the parts in dependency order; `opened` closes them in reverse. */
async function openApp(config: Config, options: AppOptions, opened: Opened): Promise<App> {
  const base = { config, clock: options.clock ?? systemClock, log: options.log ?? openLog(config) };
  opened.add('the log of background tasks', tellBackgroundFailures(base.log), (stop) => stop());
  const runsJobs = await claimJobs(config, options.runJobs ?? true, opened);
  const storage = await openStorage(base, options.sqlite ?? {}, opened);
  const notes = openNotes(storage, opened);
  const wiki = await openWiki(base, storage, { ...notes, parserScript: options.parserScript }, opened);
  const sheets = openSheets(base, storage, opened);
  const { embeddings, ...search } = await openSearch(base, storage, { ...notes, ...wiki, ...sheets }, opened);
  const callers = await openCallers(base, storage, wiki.web, opened);
  const address = new PublicAddress(config);
  const links = new SignedLinks(storage.secret, address, base.clock);
  const services: Services = {
    ...base,
    address,
    accounts: storage.accounts,
    apps: storage.apps,
    identities: storage.identities,
    webhooks: storage.webhooks,
    webhookSecrets: new SecretSealer(storage.secret, 'webhook'),
    blobs: storage.blobs,
    events: storage.events,
    jobs: storage.jobs,
    kept: storage.kept,
    markdown: notes.markdown,
    notes: notes.notes,
    noteReader: notes.noteReader,
    sharedNotes: { sharedWith: (noteId, userId) => wiki.wiki.items.noteSharedWith(noteId, userId) },
    wiki: wiki.wiki,
    uploads: wiki.wiki.uploads,
    archives: wiki.archives,
    web: new OwnFiles(wiki.web, { links, blobs: storage.blobs, uploads: wiki.wiki.uploads }),
    parser: wiki.parser,
    transcriber: wiki.transcriber,
    sheets: sheets.sheets,
    publicLinks: storage.publicLinks,
    documents: sheets.documents,
    ...search,
    passwords: callers.passwords,
    uploadCredentials: new SealedUploadCredentials(storage.secret, address),
    links,
    sealer: new SecretSealer(storage.secret, 'file password'),
  };
  const runner = await openJobs(services, storage, runsJobs, opened);
  const metrics = new PrometheusMetrics(storage.jobs, [
    ...storage.measures,
    ...(embeddings
      ? [
          {
            name: 'sheaf_embeddings_up',
            help: 'Whether the embeddings endpoint answered last: 1, or 0.',
            read: () => (embeddings.isUp ? 1 : 0),
          },
        ]
      : []),
    { name: 'sheaf_open_documents', help: 'Spreadsheets in memory.', read: () => sheets.documents.openCount },
  ]);
  // Most keys stay far below their limit, so a node reports only keys that have used half of it.
  const invoker = new Invoker(services, storage.calls, metrics, callers.limits.limit('call', callLimit(config), 0.5));
  const publicDoor = new PublicDoor(services, callers.limits);
  // All limits are declared at this point; load the counts of other nodes and earlier runs.
  await callers.limits.start();
  const tasks = new CallTasks(storage.tasks, services);
  opened.add('the tasks', tasks, () => tasks.stop());
  startHousekeeping(services, storage, { limits: callers.limits, tasks }, opened);
  const readiness = readinessOf(base, storage, embeddings);
  return {
    config,
    registry: new Registry(Object.values(options.modules ?? allModules)),
    services,
    invoker,
    publicDoor,
    limits: callers.limits,
    signInTries: callers.signInTries,
    authenticator: callers.authenticator,
    metrics,
    signIn: callers.signIn,
    connections: callers.connections,
    tasks,
    sso: callers.sso,
    consents: callers.consents,
    database: storage.database,
    address,
    ready: () => readiness.check(),
    finishJobs: async () => void (await Promise.all([runner.stop(), tasks.stop()])),
    close: () => opened.close(),
  };
}

function readinessOf(
  { config, log }: Base,
  { database, blobs, isOutdated }: Storage,
  embeddings: EndpointState | undefined,
): Readiness {
  const usesDisk = !config.SHEAF_DATABASE_URL || !config.SHEAF_S3_ENDPOINT;
  return new Readiness(
    [
      freeDescriptors,
      {
        away: 'a newer version of sheaf has changed the database: start that one here',
        async check() {
          if (isOutdated()) throw new Error('the schema is newer than this version knows');
        },
      },
      { away: 'the database is not responding', check: () => database.ping() },
      {
        away: 'nothing can be written',
        isShared: true,
        async check() {
          const refusal = database.refusal();
          if (refusal !== undefined) throw new NotWritable(refusal);
        },
      },
      {
        away: 'the object store is not responding',
        // A folder belongs to this node only.
        isShared: config.SHEAF_S3_ENDPOINT !== undefined,
        check: () => blobs.ping(),
      },
      ...(embeddings
        ? [{ away: 'the embeddings endpoint is not responding', isShared: true, check: () => embeddings.check() }]
        : []),
      ...(usesDisk ? [writableDisk(resolve(config.SHEAF_DATA))] : []),
    ],
    log,
  );
}
