import { resolve } from 'node:path';
import { PrometheusMetrics } from './adapters/metrics/prometheus.ts';
import { fileDescriptorCheck, ReadinessChecker, diskWriteCheck } from './adapters/readiness.ts';
import type { Database } from './adapters/sql/database.ts';
import type { SqliteOptions } from './adapters/sql/sqlite/database.ts';
import { SignedUrlFetcher } from './adapters/web/signed-url-fetcher.ts';
import { SealedUploadCredentialIssuer } from './adapters/uploads/sealed-upload-credential-issuer.ts';
import { HmacUrlSigner } from './adapters/crypto/hmac-url-signer.ts';
import { HmacLinkSecretDeriver } from './adapters/crypto/hmac-link-secret-deriver.ts';
import { SecretSealer } from './adapters/crypto/secret-sealer.ts';
import { openLogger, type CoreServices } from './app/core-services.ts';
import { openAuthentication } from './app/open-authentication.ts';
import type { EndpointState } from './app/open-embedding.ts';
import { startMaintenance } from './app/maintenance.ts';
import { openJobs } from './app/open-jobs.ts';
import { openNoteRooms } from './app/open-note-rooms.ts';
import { openNodes } from './app/open-nodes.ts';
import { openNotes } from './app/open-notes.ts';
import { ResourceStack } from './app/resource-stack.ts';
import { openSearch } from './app/open-search.ts';
import { openSheets } from './app/open-sheets.ts';
import { openTracing, traceOperations, traceRounds, traceWrites } from './app/open-tracing.ts';
import { acquireJobLock, openStorage, type RunJobs, type StorageServices } from './app/open-storage.ts';
import { openWiki } from './app/open-wiki.ts';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import { addBackgroundErrorLog } from './lib/background-tasks.ts';
import type { Logger } from './lib/logger.ts';
import { NodeAddress } from './lib/node-address.ts';
import { PublicUrl } from './lib/public-url.ts';
import { DerivedInboxReader } from './modules/inbox/inbox-reader.ts';
import { modules as allModules } from './modules.ts';
import type { Authenticator } from './kernel/authenticator.ts';
import { callRateLimit, Invoker } from './kernel/invoker.ts';
import type { Metrics } from './kernel/metrics.ts';
import { Registry, type Module } from './kernel/module.ts';
import { CallTaskRunner } from './kernel/call-task-runner.ts';
import { PublicLinkInvoker } from './kernel/public-link-invoker.ts';
import type { SharedRateLimits } from './kernel/shared-rate-limits.ts';
import type { SignInLimits } from './kernel/sign-in-limits.ts';
import type { AuthorizationServer } from './kernel/oauth.ts';
import type { SignInService } from './kernel/sign-in.ts';
import type { SingleSignOn } from './kernel/single-sign-on.ts';
import type { Tracer } from './kernel/tracer.ts';
import { systemClock, type Clock } from './ports/clock.ts';
import { NotWritable } from './ports/availability-errors.ts';
import type { NodeCallReceiver } from './ports/node-calls.ts';
import type { Sealer } from './ports/upload-credentials.ts';

/** The running application, without the transports (HTTP, MCP, command line) through which it is called. */
export interface App {
  readonly config: Config;
  readonly registry: Registry;
  readonly services: Services;
  readonly invoker: Invoker;
  readonly authenticator: Authenticator;
  /** Serves requests that come with the secret of a public link instead of an API key. */
  readonly publicLinkInvoker: PublicLinkInvoker;
  readonly limits: SharedRateLimits;
  readonly signInLimits: SignInLimits;
  readonly metrics: Metrics;
  /** Records traces of calls; undefined if no trace receiver is configured. */
  readonly tracer: Tracer | undefined;
  readonly signIn: SignInService;
  readonly connections: AuthorizationServer;
  readonly tasks: CallTaskRunner;
  /** Sign-in through an identity provider; undefined if none is configured. */
  readonly sso: SingleSignOn | undefined;
  /**
   * Encrypts the authorization request of an app. The consent form carries it encrypted through the browser, so that it
   * cannot be altered there.
   */
  readonly consents: Sealer;
  readonly database: Database;
  readonly publicUrl: PublicUrl;
  readonly nodeAddress: NodeAddress;
  /** Receives calls that other nodes forward to this node. */
  readonly nodeCalls: NodeCallReceiver;
  /**
   * Returns a warning for each unavailable dependency that all nodes share, such as an object store. Rejects with
   * NotReady if this node cannot serve requests.
   */
  ready(): Promise<readonly string[]>;
  /** Stops claiming jobs and waits, up to a limit, for running jobs and tasks. */
  finishJobs(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  clock?: Clock;
  log?: Logger;
  /** Modules to load, each with its operations. Default: all modules of the server. Tests pass others. */
  modules?: Record<string, Module>;
  sqlite?: SqliteOptions;
  /** Path of the script that runs in the processes that parse files. Tests replace it to simulate crashes. */
  parserScript?: string;
  /**
   * Whether this process runs background jobs. Default: true. With a data folder instead of PostgreSQL, only one
   * process may run them. If another process already does, `true` makes the start fail, and 'if nobody else does'
   * starts this process without jobs. Short commands use `false`.
   */
  runJobs?: RunJobs;
}

/**
 * Creates the app. This is the composition root: only this file chooses adapters and connects them. If a part fails to
 * open, the parts already open are closed.
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const opened = new ResourceStack();
  try {
    return await openApp(config, options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the parts of the app in dependency order. `opened` records them and closes them in reverse order. */
async function openApp(config: Config, options: AppOptions, opened: ResourceStack): Promise<App> {
  const base = { config, clock: options.clock ?? systemClock, log: options.log ?? openLogger(config) };
  opened.add('the log of background tasks', addBackgroundErrorLog(base.log), (stop) => stop());
  const tracing = openTracing(base, opened);
  const runsJobs = await acquireJobLock(config, options.runJobs ?? true, opened);
  const storage = await openStorage(base, options.sqlite ?? {}, opened);
  if (tracing) traceWrites(tracing.tracer, storage.database);
  const notes = openNotes(storage, opened);
  const wiki = await openWiki(base, storage, { ...notes, parserScript: options.parserScript }, opened);
  const nodeAddress = new NodeAddress(config.SHEAF_NODE_URL);
  const links = openNodes(storage, nodeAddress);
  const sheets = openSheets(base, storage, links, opened);
  if (tracing) traceRounds(tracing.tracer, sheets.sheets);
  const { embeddings, ...search } = await openSearch(base, storage, { ...notes, ...wiki, ...sheets }, opened);
  const callers = await openAuthentication(base, storage, wiki.web, opened);
  const address = new PublicUrl(config);
  const rooms = openNoteRooms(base, storage, { ...notes, ...search }, links, opened);
  const signedUrls = new HmacUrlSigner(storage.secret, address, base.clock);
  const services: Services = {
    ...base,
    publicUrl: address,
    accounts: storage.accounts,
    apps: storage.apps,
    identities: storage.identities,
    memories: storage.memories,
    profiles: storage.profiles,
    webhooks: storage.webhooks,
    webhookSecrets: new SecretSealer(storage.secret, 'webhook'),
    blobs: storage.blobs,
    events: storage.events,
    jobs: storage.jobs,
    blobAccounting: storage.blobAccounting,
    markdown: notes.markdown,
    notes: notes.notes,
    noteReader: notes.noteReader,
    noteText: notes.noteText,
    noteGraph: notes.noteGraph,
    noteRooms: rooms.noteRooms,
    suggestions: notes.suggestions,
    tags: notes.tags,
    titles: storage.titles,
    sharedNotes: { sharedWith: (noteId, userId) => wiki.wiki.items.noteSharedWith(noteId, userId) },
    wiki: wiki.wiki,
    uploads: wiki.wiki.uploads,
    archives: wiki.archives,
    web: new SignedUrlFetcher(wiki.web, { links: signedUrls, blobs: storage.blobs, uploads: wiki.wiki.uploads }),
    parser: wiki.parser,
    transcriber: wiki.transcriber,
    sheets: sheets.sheets,
    publicLinks: storage.publicLinks,
    publicLinkSecrets: new HmacLinkSecretDeriver(storage.secret),
    permissions: storage.permissions,
    changeLog: storage.changeLog,
    groups: storage.groups,
    comments: storage.comments,
    inboxStore: storage.inboxStore,
    inbox: new DerivedInboxReader(storage.inboxStore, storage.permissions, base.clock),
    documents: sheets.documents,
    ...search,
    passwords: callers.passwords,
    oldPasswords: callers.oldPasswords,
    uploadCredentials: new SealedUploadCredentialIssuer(storage.secret, address),
    signedUrls,
    sealer: new SecretSealer(storage.secret, 'file password'),
  };
  const runner = await openJobs(services, storage, runsJobs, opened);
  const metrics = new PrometheusMetrics(storage.jobs, [
    ...storage.measures,
    ...(tracing?.gauges ?? []),
    {
      name: 'sheaf_ready',
      help: 'Whether this node can serve, as /readyz says: 1, or 0.',
      query: () => readiness.check().then(() => 1),
      fallback: 0,
    },
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
    {
      name: 'sheaf_held_documents',
      help: 'Spreadsheets whose edits this node makes for the other nodes too.',
      read: () => sheets.documents.heldCount,
    },
    {
      name: 'sheaf_open_notes',
      help: 'Notes that several have open, on this node.',
      read: () => rooms.noteRooms.openCount,
    },
  ]);
  // Report a key's usage to other nodes only after half of its limit is used, because most keys stay far below the
  // limit.
  const invoker = new Invoker(
    services,
    storage.calls,
    metrics,
    callers.limits.limit('call', callRateLimit(config), 0.5),
  );
  if (tracing) traceOperations(tracing.tracer, invoker);
  const publicLinkInvoker = new PublicLinkInvoker(services, callers.limits);
  // Load how much of the rate limits was used on other nodes and in earlier runs, now that all limits are declared.
  await callers.limits.start();
  const tasks = new CallTaskRunner(storage.tasks, services);
  opened.add('the tasks', tasks, () => tasks.stop());
  startMaintenance(services, storage, { limits: callers.limits, tasks, rooms: rooms.roomStore }, opened);
  const readiness = readinessOf(base, storage, embeddings);
  return {
    config,
    registry: new Registry(Object.values(options.modules ?? allModules)),
    services,
    invoker,
    publicLinkInvoker,
    limits: callers.limits,
    signInLimits: callers.signInLimits,
    authenticator: callers.authenticator,
    metrics,
    tracer: tracing?.tracer,
    signIn: callers.signIn,
    connections: callers.connections,
    tasks,
    sso: callers.sso,
    consents: callers.consents,
    database: storage.database,
    publicUrl: address,
    nodeAddress,
    nodeCalls: links.nodeCalls,
    ready: () => readiness.check(),
    finishJobs: async () => void (await Promise.all([runner.stop(), tasks.stop()])),
    close: () => opened.close(),
  };
}

function readinessOf(
  { config, log }: CoreServices,
  { database, blobs, isOutdated }: StorageServices,
  embeddings: EndpointState | undefined,
): ReadinessChecker {
  const usesDisk = !config.SHEAF_DATABASE_URL || !config.SHEAF_S3_ENDPOINT;
  return new ReadinessChecker(
    [
      fileDescriptorCheck,
      {
        failureMessage: 'a newer version of sheaf has changed the database: start that one here',
        async check() {
          if (isOutdated()) throw new Error('the schema is newer than this version knows');
        },
      },
      { failureMessage: 'the database is not responding', check: () => database.ping() },
      {
        failureMessage: 'the database is damaged',
        async check() {
          const damage = database.damage();
          if (damage !== undefined) throw new NotWritable(damage);
        },
      },
      {
        failureMessage: 'nothing can be written',
        isShared: true,
        async check() {
          const refusal = database.writeRefusal();
          if (refusal !== undefined) throw new NotWritable(refusal);
        },
      },
      {
        failureMessage: 'the object store is not responding',
        // An object store is shared by all nodes, whereas a blob folder belongs to this node only.
        isShared: config.SHEAF_S3_ENDPOINT !== undefined,
        check: () => blobs.ping(),
      },
      ...(embeddings
        ? [
            {
              failureMessage: 'the embeddings endpoint is not responding',
              isShared: true,
              check: () => embeddings.check(),
            },
          ]
        : []),
      ...(usesDisk ? [diskWriteCheck(resolve(config.SHEAF_DATA))] : []),
    ],
    log,
  );
}
