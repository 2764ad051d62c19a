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

/** The running product without any transport. */
export interface App {
  readonly config: Config;
  readonly registry: Registry;
  readonly services: Services;
  readonly invoker: Invoker;
  readonly authenticator: Authenticator;
  /** Who comes with a public link instead of a key. */
  readonly publicDoor: PublicDoor;
  readonly limits: SharedLimits;
  readonly signInTries: SignInTries;
  readonly metrics: Metrics;
  readonly signIn: SignIn;
  readonly connections: AppConnections;
  /** Calls that outlive their request. */
  readonly tasks: CallTasks;
  /** Undefined where no provider is configured. */
  readonly sso: SingleSignOn | undefined;
  /** What the consent page shows comes back sealed. */
  readonly consents: Sealer;
  readonly database: Database;
  readonly address: PublicAddress;
  /** Warnings of what all nodes lack; rejects with NotReady when this node cannot serve. */
  ready(): Promise<readonly string[]>;
  /** Takes no more jobs and waits, within limits, for those under way and for tasks. */
  finishJobs(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  clock?: Clock;
  log?: Log;
  /** Tests add modules of their own. */
  modules?: Record<string, Module>;
  sqlite?: SqliteOptions;
  /** What the parser processes run; the product's own unless a test wants them to die. */
  parserScript?: string;
  /** Whether jobs run here: of a data folder, one process has them. False for a command that is over soon; true must have them. */
  runJobs?: RunJobs;
}

/** The only place that picks adapters and ties them to what needs them. What was opened is closed when a later part fails. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const opened = new Opened();
  try {
    return await openApp(config, options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The parts in the order they stand on each other; `opened` closes them in the reverse one. */
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
  // Most keys never come near their limit: the nodes need to hear only of those that do.
  const invoker = new Invoker(services, storage.calls, metrics, callers.limits.limit('call', callLimit(config), 0.5));
  const publicDoor = new PublicDoor(services, callers.limits);
  // Each limit is declared by now: what other nodes and earlier runs counted is read for those that are.
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
        // A folder is this node's own.
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
