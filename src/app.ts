import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { RefusedSignIns } from './account/refused.ts';
import { AccountSignIn } from './account/sign-in.ts';
import { FilesystemBlobStore } from './adapters/blob/filesystem.ts';
import { InProcessEventBus } from './adapters/events/in-process.ts';
import { JobRunner } from './adapters/jobs/runner.ts';
import { PrometheusMetrics } from './adapters/metrics/prometheus.ts';
import { freeDescriptors, Readiness, writableDisk } from './adapters/readiness.ts';
import { SqlAccountStore } from './adapters/sql/account-store.ts';
import { MarkdownThreads } from './adapters/parse/markdown-threads.ts';
import { PasswordThread } from './adapters/passwords/thread.ts';
import { ParserPool } from './adapters/parse/pool.ts';
import { Indexer } from './adapters/search/indexer.ts';
import { LazyFeed, LazySearchIndex } from './adapters/search/lazy.ts';
import { SqlCallStore } from './adapters/sql/call-store.ts';
import type { Database } from './adapters/sql/database.ts';
import { installationSecret } from './adapters/sql/installation-secret.ts';
import { SqlJobQueue } from './adapters/sql/job-queue.ts';
import { SqlKeptObjects } from './adapters/sql/kept-objects.ts';
import { SqlLimitStore } from './adapters/sql/limit-store.ts';
import { migrate } from './adapters/sql/migrate.ts';
import { SqlNoteStore } from './adapters/sql/notes/store.ts';
import { SqlSheetStore } from './adapters/sql/sheets/store.ts';
import { openSqlite, type SqliteOptions } from './adapters/sql/sqlite/database.ts';
import { lockForServing, type ServingLock } from './adapters/sql/sqlite/serving-lock.ts';
import { SqlWikiStore } from './adapters/sql/wiki/store.ts';
import { SealedUploadCredentials } from './adapters/uploads/credentials.ts';
import { SignedLinks } from './adapters/uploads/links.ts';
import { SecretSealer } from './adapters/uploads/sealer.ts';
import { GuardedWebFetcher } from './adapters/web/fetcher.ts';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import { every, later, tellBackgroundFailures } from './lib/background.ts';
import type { Log } from './lib/log.ts';
import { PublicAddress } from './lib/public-address.ts';
import { modules as allModules } from './modules.ts';
import { headBytes, readHeadQuickly, readMarkdownQuickly } from './note/content.ts';
import { purgeNotes } from './note/housekeeping.ts';
import { StoredNoteReader } from './note/reader.ts';
import { roughHead, roughView } from './note/rough.ts';
import { Authenticator, guessLimit } from './operation/authenticate.ts';
import { callLimit, Invoker } from './operation/invoke.ts';
import type { Metrics } from './operation/metrics.ts';
import { Registry, type Module } from './operation/module.ts';
import { SharedLimits } from './operation/shared-limits.ts';
import type { SignIn } from './operation/sign-in.ts';
import { SignInTries } from './operation/sign-in-tries.ts';
import type { BlobStore } from './ports/blob-store.ts';
import { systemClock, type Clock } from './ports/clock.ts';
import type { EventBus } from './ports/event-bus.ts';
import type { SearchIndex } from './ports/search-index.ts';
import type { Transcriber } from './ports/transcriber.ts';
import { version } from './version.ts';
import { cleanWiki } from './wiki/housekeeping.ts';
import { ParseItem } from './wiki/jobs/parse.ts';
import { abortUnfinishedUploads } from './wiki/jobs/unfinished-uploads.ts';
import { BaseArchives } from './wiki/export.ts';
import { WikiReader } from './wiki/reader.ts';
import { noteSource, wikiSource } from './wiki/search-sources.ts';
import { HostedDocuments } from './sheet/documents.ts';
import { maxDocumentBytes, purgeDocuments } from './sheet/storage.ts';
import { SheetSearch } from './sheet/search.ts';
import { workerScript } from './worker-script.ts';

/** The running product without any transport. */
export interface App {
  readonly config: Config;
  readonly registry: Registry;
  readonly services: Services;
  readonly invoker: Invoker;
  readonly authenticator: Authenticator;
  readonly limits: SharedLimits;
  readonly signInTries: SignInTries;
  readonly metrics: Metrics;
  readonly signIn: SignIn;
  readonly database: Database;
  readonly address: PublicAddress;
  /** Rejects with NotReady when something an answer depends on is away. */
  ready(): Promise<void>;
  /** Takes no more jobs and waits, within limits, for those under way. */
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
  runJobs?: boolean | 'if nobody else does';
}

/** The only place that picks adapters and ties them to what needs them. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? openLog(config);
  const lock = await lockFor(config, options.runJobs ?? true);
  const stopTelling = tellBackgroundFailures(log);
  const runsJobs = config.SHEAF_DATABASE_URL ? options.runJobs !== false : lock !== undefined;
  const giveUp = (error: unknown): never => {
    lock?.release();
    stopTelling();
    throw error;
  };
  const { database, events, openSearch } = await openDatabase(config, log, options.sqlite ?? {}).catch(giveUp);
  await migrate(database).catch(giveUp);
  const search = new LazySearchIndex(openSearch);
  const jobs = new SqlJobQueue(database, clock);
  const accounts = new SqlAccountStore(database);
  const notes = new SqlNoteStore(database);
  const markdown = new MarkdownThreads({
    script: workerScript('notes'),
    quickView: readMarkdownQuickly,
    quickHead: readHeadQuickly,
    roughView,
    roughHead,
    headLength: headBytes,
  });
  const noteReader = new StoredNoteReader(notes, markdown);
  const wiki = new SqlWikiStore(database);
  const wikiReader = new WikiReader(wiki, noteReader);
  const blobs = await openBlobs(config);
  const kept = new SqlKeptObjects(database);
  const sheets = new SqlSheetStore(database, { quotaBytes: config.SHEAF_QUOTA_BYTES, documentBytes: maxDocumentBytes });
  const documents = new HostedDocuments({ sheets, blobs, kept, config, events, clock, log }, workerScript('sheet'));
  const sheetSearch = new SheetSearch(sheets, documents, log);
  const loaders = {
    // A note that changed also changes the items that show it.
    note: (ids: string[]) => wiki.items.notesChanged(ids).then(() => noteReader.entries(ids)),
    wiki: (ids: string[]) => wikiReader.entries(ids),
    sheet: (ids: string[]) => sheetSearch.entries(ids),
  };
  const indexer = new Indexer({ database, index: search, clock, log, loaders });
  const prepare = async (): Promise<void> => {
    await search.opened();
    await indexer.rebuildIfNeeded({
      note: () => notes.allIds(),
      wiki: () => wiki.items.allIds(),
      sheet: () => sheets.allIds(),
    });
  };
  const searchFeed = new LazyFeed({ indexer, prepare, log });
  const secret = await installationSecret(database);
  const address = new PublicAddress(config);
  const web = new GuardedWebFetcher({
    allow: config.SHEAF_FETCH_ALLOW,
    userAgent: `Mozilla/5.0 (compatible; sheaf/${version})`,
    folder: join(resolve(config.SHEAF_DATA), 'incoming'),
  });
  const parser = new ParserPool({ script: options.parserScript ?? workerScript('formats'), ocr: config.SHEAF_OCR });
  const passwords = new PasswordThread(workerScript('passwords'));
  const services: Services = {
    config,
    clock,
    log,
    accounts,
    passwords,
    blobs,
    jobs,
    events,
    search,
    searchFeed,
    searchSources: [
      wikiSource({ wiki, search, noteReader }),
      noteSource({ search, noteReader }),
      sheetSearch.source(search),
    ],
    markdown,
    notes,
    noteReader,
    sharedNotes: { sharedWith: (noteId, userId) => wiki.items.noteSharedWith(noteId, userId) },
    wiki,
    uploads: wiki.uploads,
    uploadCredentials: new SealedUploadCredentials(secret, address),
    links: new SignedLinks(secret, address, clock),
    kept,
    archives: new BaseArchives({ accounts, wiki, blobs, noteReader }),
    sealer: new SecretSealer(secret, 'file password'),
    web,
    parser,
    transcriber: await openTranscriber(config),
    sheets,
    documents,
    address,
  };
  const runner = new JobRunner({ queue: jobs, handlers: [new ParseItem(services)], log });
  if (runsJobs) {
    if (database.dialect.name === 'sqlite') await jobs.endLeases();
    runner.start();
  }
  const metrics = new PrometheusMetrics(jobs);
  const calls = new SqlCallStore(database);
  const limits = new SharedLimits(new SqlLimitStore(database), clock, log);
  const authenticator = new Authenticator(accounts, clock, limits.limit('guess', guessLimit));
  const signInTries = new SignInTries(limits, new SecretSealer(secret, 'signed-in device'));
  const refused = new RefusedSignIns((stamp, target) => calls.record(stamp, target), clock, log);
  const signIn = new AccountSignIn({ accounts, passwords, clock, refused, news: { events, log } });
  // Most keys never come near their limit: the nodes need to hear only of those that do.
  const invoker = new Invoker(services, calls, metrics, limits.limit('call', callLimit(config), 0.5));
  await limits.start();
  const dayMs = 24 * 60 * 60 * 1000;
  const readiness = new Readiness([
    freeDescriptors,
    { away: 'the database is not responding', check: () => database.ping() },
    { away: 'the object store is not responding', check: () => blobs.ping() },
    ...(config.SHEAF_DATABASE_URL && config.SHEAF_S3_ENDPOINT ? [] : [writableDisk(resolve(config.SHEAF_DATA))]),
  ]);
  const hourMs = 60 * 60 * 1000;
  const housekeeping = [
    every('forgetting old answers', hourMs, () => calls.forgetAnswersBefore(clock.now() - dayMs)),
    every('purging notes', hourMs, () => purgeNotes(services)),
    every('purging documents', hourMs, () => purgeDocuments(services)),
    every('aborting unfinished uploads', hourMs, () => abortUnfinishedUploads(services)),
    every('forgetting old jobs', hourMs, () => jobs.forget(clock.now() - 7 * dayMs)),
    every('forgetting old rate limits', hourMs, () => limits.forgetOld()),
    every('cleaning knowledge bases', hourMs, () => cleanWiki(services)),
  ];
  for (const task of housekeeping) task.unref();
  return {
    config,
    registry: new Registry(Object.values(options.modules ?? allModules)),
    services,
    invoker,
    limits,
    signInTries,
    authenticator,
    metrics,
    signIn,
    database,
    address,
    ready: () => readiness.check(),
    finishJobs: () => runner.stop(),
    async close() {
      for (const task of housekeeping) clearInterval(task);
      await authenticator.close();
      await limits.close();
      await signIn.close();
      await passwords.close();
      await documents.close();
      await runner.stop();
      await parser.close();
      await web.close();
      await searchFeed.stop();
      await markdown.close();
      await search.close();
      await events.close();
      await database.close();
      lock?.release();
      stopTelling();
    },
  };
}

/** A log that cannot be written (its disk is full, its reader gone) is no reason to stop serving. */
function openLog(config: Config): Log {
  const destination = pino.destination({ dest: 2, sync: false });
  destination.on('error', () => undefined);
  return pino({ level: config.SHEAF_LOG_LEVEL }, destination);
}

/** Nodes on PostgreSQL share the jobs; a data folder has no room for two. */
async function lockFor(config: Config, wanted: NonNullable<AppOptions['runJobs']>): Promise<ServingLock | undefined> {
  if (wanted === false || config.SHEAF_DATABASE_URL) return undefined;
  const folder = resolve(config.SHEAF_DATA);
  const lock = await lockForServing(folder);
  if (!lock && wanted === true)
    throw new Error(`another sheaf server is using ${folder}; stop it first, or set SHEAF_DATA to a different folder`);
  return lock;
}

export async function openDatabase(
  config: Config,
  log: Log,
  sqlite: SqliteOptions,
): Promise<{ database: Database; events: EventBus; openSearch: () => Promise<SearchIndex> }> {
  if (config.SHEAF_DATABASE_URL) {
    // Loaded only when used: an embedded start should not pay for it.
    const { openPostgres } = await import('./adapters/sql/postgres.ts');
    const { PostgresEventBus } = await import('./adapters/events/postgres.ts');
    const database = await openPostgres(config.SHEAF_DATABASE_URL, {
      onError: (error) => log.warn({ error: error.message }, 'database connection lost'),
    });
    const events = new PostgresEventBus(config.SHEAF_DATABASE_URL, database.pool, log);
    await events.connect();
    const { PostgresSearchIndex } = await import('./adapters/search/postgres.ts');
    return {
      database,
      events,
      openSearch: () => PostgresSearchIndex.open({ database, worker: workerScript('search') }),
    };
  }
  const onSyncFailure = (error: unknown): void => {
    log.error(
      { error: String(error) },
      'the disk failed to sync; exiting, because what is in memory may not be on disk',
    );
    process.exitCode = 1;
    later('ending after a failed sync', 100, () => process.exit(1));
  };
  const database = await openSqlite(join(resolve(config.SHEAF_DATA), 'sheaf.db'), { onSyncFailure, ...sqlite });
  const { SqliteSearchIndex } = await import('./adapters/search/sqlite.ts');
  const openSearch = () =>
    SqliteSearchIndex.open({
      path: join(resolve(config.SHEAF_DATA), 'search.db'),
      worker: workerScript('search'),
      onReplaced: (reason) => log.warn({ reason }, 'the search index was replaced and is being rebuilt'),
    });
  return { database, events: new InProcessEventBus(log), openSearch };
}

async function openTranscriber(config: Config): Promise<Transcriber | undefined> {
  if (config.SHEAF_TRANSCRIBE_URL === undefined) return undefined;
  const { HttpTranscriber } = await import('./adapters/web/transcriber.ts');
  return new HttpTranscriber({
    url: config.SHEAF_TRANSCRIBE_URL,
    key: config.SHEAF_TRANSCRIBE_KEY,
    model: config.SHEAF_TRANSCRIBE_MODEL,
  });
}

export async function openBlobs(config: Config): Promise<BlobStore> {
  if (!config.SHEAF_S3_ENDPOINT) return new FilesystemBlobStore(join(resolve(config.SHEAF_DATA), 'blobs'));
  const { S3BlobStore } = await import('./adapters/blob/s3.ts');
  return new S3BlobStore({
    endpoint: config.SHEAF_S3_ENDPOINT,
    bucket: config.SHEAF_S3_BUCKET!,
    region: config.SHEAF_S3_REGION,
    accessKey: config.SHEAF_S3_ACCESS_KEY!,
    secretKey: config.SHEAF_S3_SECRET_KEY!,
  });
}
