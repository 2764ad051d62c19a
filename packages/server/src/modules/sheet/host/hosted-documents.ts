import type { Progress } from '../../../context.ts';
import { runEvery, runInBackground } from '../../../lib/background-tasks.ts';
import { newId } from '../../../lib/ids.ts';
import { sha256 } from '../../../lib/hash.ts';
import type { RawJson } from '../../../kernel/raw-json.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import type {
  DocumentCaller,
  SpreadsheetService,
  ExportOptions,
  ImportedDocument,
  ImportedFile,
  StoredFile,
  DocumentValidation,
  ViewOptions,
} from '../../../ports/spreadsheet-service.ts';
import type { SourceText } from '../../../ports/search-source.ts';
import type { DocumentRole, RevisionId, StoredDocument } from '../../../ports/sheet-store.ts';
import { addSheet } from '@sheaf/engine/internal/mutations';
import { FileThreadPool } from './file-thread-pool.ts';
import { requireRole, type FoundDocument, type AccessibleDocument } from './document-access.ts';
import { DocumentHandle } from './document-handle.ts';
import { DocumentCallRouter, type DocumentNodeServices } from './document-call-router.ts';
import { InitialSnapshotDamaged, readRevisionPage, readSnapshot } from './load-document.ts';
import type { LoggedRevision, WorkerAnswer, WorkerRequest } from './protocol.ts';
import type { CallResult, QueuedCall } from './queued-call.ts';
import type { HostServices } from './host-services.ts';
import { DocumentThreadPool } from './document-thread-pool.ts';
import { parseFileId } from '../schema.ts';
import { newSheetId } from '../objects/sheet-id.ts';
import { withQuotaFailures, storeCountedBlob } from '../document-storage.ts';

const maxOpen = 200;
const maxOpenCells = 20_000_000;
const evictEveryMs = 2_000;
/**
 * Number of revisions since the last snapshot after which a document gets a new snapshot. For a document that was not
 * used for `idleMs`, `snapshotAfterWhenIdle` revisions are enough.
 */
const snapshotAfter = 200;
const snapshotAfterWhenIdle = 50;
const idleMs = 5_000;
/**
 * Estimated opening time in milliseconds above which an idle document gets a new snapshot even after a single revision.
 * Opening repeats all calculations since the last snapshot, so a new snapshot makes it faster.
 */
const longToOpenMs = 500;
const snapshotsKept = 3;

/**
 * Hosts documents: checks access, runs calls in worker threads, and makes writes durable. A write is in the document's
 * revision log in the database before its call is answered. If a thread ends unexpectedly, its documents are rebuilt
 * from their logs.
 */
export class HostedDocuments implements SpreadsheetService {
  readonly #services: HostServices;
  readonly #threads: DocumentThreadPool;
  readonly #handles = new Map<string, DocumentHandle>();
  readonly #files: FileThreadPool;
  readonly #router: DocumentCallRouter;
  readonly #timer: NodeJS.Timeout;

  constructor(services: HostServices, workerScript: string, links: DocumentNodeServices) {
    this.#services = services;
    this.#router = new DocumentCallRouter(links, services, {
      run: (file, call) => this.#handle(file).enqueue(call),
      checkAccess: (file, call) => this.#checkAccess(file, call),
      heldVersion: (file) => this.#handles.get(file)?.version,
    });
    this.#threads = new DocumentThreadPool(workerScript, (files) => {
      for (const file of files) this.#handles.get(file)?.unload();
    });
    this.#files = new FileThreadPool(workerScript, services.blobs);
    // If the server shuts down during #saveAndEvict(), that call fails, because the document threads are closed;
    // runEvery only logs the failure.
    this.#timer = runEvery('tidying documents', evictEveryMs, () => this.#saveAndEvict()).unref();
  }

  get openCount(): number {
    let open = 0;
    for (const { version } of this.#handles.values()) if (version !== undefined) open++;
    return open;
  }

  /** Number of documents whose lease this node holds, so that it also runs the calls of other nodes on them. */
  get heldCount(): number {
    return this.#router.heldCount;
  }

  /** Runs a tool on the document that the input names. */
  async call(
    by: DocumentCaller,
    tool: string,
    need: DocumentRole,
    input: Record<string, unknown>,
  ): Promise<RawJson | Record<string, unknown>> {
    const id = parseFileId(input);
    // A read must see every acknowledged write of any node, so it looks up the newest version first. A write detects
    // newer versions when it commits.
    const found = await (need === 'viewer'
      ? this.#find(id, by.caller.userId)
      : this.#services.sheets.access(id, by.caller.userId));
    const { data, version, notice } = await this.#run(by, requireRole(found, id, need), { tool, need, input });
    if (version !== undefined) by.reply.version = version;
    if (notice !== undefined) by.reply.notice = notice;
    return data;
  }

  #run(
    by: DocumentCaller,
    { document, role, isCurrent = true }: AccessibleDocument,
    wanted: Pick<QueuedCall, 'tool' | 'need' | 'input'>,
  ): Promise<CallResult> {
    return new Promise((resolve, reject) => {
      // Do not use spread syntax here. It would make V8 create a hidden class for each call, which costs more than the
      // rest of this method.
      this.#router.run(document.id, {
        tool: wanted.tool,
        input: wanted.input,
        need: wanted.need,
        stamp: by.stamp,
        stored: by.reply.stored,
        isOwner: role === 'owner',
        isAtPage: by.caller.via === 'session',
        atLeast: document.version,
        isCurrent,
        progress: by.wantsProgress ? (step: Progress) => by.progress?.(step) : undefined,
        resolve,
        reject,
        retries: 0,
      });
    });
  }

  /**
   * Returns the document and the caller's role. Throws `no_such_file` for callers without access, and `no_permission`
   * if the role is lower than `need`.
   */
  async access(
    by: DocumentCaller,
    id: string,
    need: DocumentRole,
  ): Promise<{ document: StoredDocument; role: DocumentRole }> {
    return requireRole(await this.#find(id, by.caller.userId), id, need);
  }

  /**
   * Reads the document's row from the database. If its version is lower than the version in memory, the database was
   * restored from a backup, so the document is dropped from memory.
   */
  async #find(id: string, userId: string): Promise<FoundDocument | undefined> {
    const handle = this.#handles.get(id);
    const held = handle?.version ?? 0;
    const found = await this.#services.sheets.find(id, userId);
    if ((found?.document.version ?? 0) < held) handle?.unload();
    return found;
  }

  async #checkAccess(id: string, { stamp, need }: QueuedCall): Promise<void> {
    requireRole(await this.#services.sheets.access(id, stamp.userId), id, need);
  }

  /** Drops all documents from memory after the database was restored to an earlier state. */
  unloadAll(): void {
    this.#router.clear();
    const open = [...this.#handles.values()].filter(({ version }) => version !== undefined);
    for (const handle of open) handle.unload();
    // The search index may contain edits that the restored database does not contain, so index these documents again.
    runInBackground('telling search of documents that were forgotten', async () => {
      for (const { file } of open) await this.#services.sheets.reindex(file);
    });
  }

  create<Answer extends object>(
    by: DocumentCaller,
    title: string,
    answer: (made: { id: string; sheetId: string }) => Answer,
  ): Promise<Answer> {
    const id = newId('doc');
    const sheetId = newSheetId();
    const mutations = [addSheet.of({ sheet: sheetId, name: 'Sheet1' })];
    const first = {
      version: 1,
      userId: by.caller.userId,
      at: by.stamp.at,
      tool: 'create_file',
      seed: 0,
      mutations: JSON.stringify(mutations),
      inverse: '[]',
    };
    const document = { id, title, ownerId: by.caller.userId };
    return writeAndAnswer(
      by,
      () => withQuotaFailures(() => this.#services.sheets.create(by.stamp, document, [first])),
      () => answer({ id, sheetId }),
    );
  }

  /** Creates a document from a snapshot. The caller becomes its owner. */
  #createFrom<Answer extends object>(
    by: DocumentCaller,
    title: string,
    snapshot: Uint8Array,
    answer: (id: string) => Answer,
  ): Promise<Answer> {
    const id = newId('doc');
    const stored = { version: 0, blobKey: `sheets/${id}/0`, size: snapshot.length, sha256: sha256(snapshot) };
    const document = { id, title, ownerId: by.caller.userId };
    return writeAndAnswer(
      by,
      () =>
        storeCountedBlob(
          this.#services,
          { userId: by.caller.userId, key: stored.blobKey, bytes: snapshot, field: 'file_id' },
          () => this.#services.sheets.create(by.stamp, document, [], stored),
        ),
      () => answer(id),
    );
  }

  async copy<Answer extends object>(
    by: DocumentCaller,
    document: StoredDocument,
    title: string,
    answer: (id: string) => Answer,
  ): Promise<Answer> {
    const { bytes } = await this.snapshot(document);
    return this.#createFrom(by, title, bytes, answer);
  }

  /**
   * Sends a request to the document's thread. First opens the document, or updates it if the thread has a version older
   * than `version`.
   */
  async #ask<Request extends WorkerRequest>(
    { id, version }: StoredDocument,
    request: Request,
  ): Promise<WorkerAnswer<Request['do']>> {
    const handle = this.#handle(id);
    await handle.ensureOpen(version);
    return handle.runExclusive(() => this.#threads.send(request));
  }

  async snapshot(document: StoredDocument): Promise<{ version: number; bytes: Uint8Array }> {
    return this.#ask(document, { do: 'snapshot', file: document.id });
  }

  async export(by: DocumentCaller, document: StoredDocument, options: ExportOptions): Promise<Uint8Array> {
    const bytes = (await this.#storedSnapshot(document)) ?? (await this.snapshot(document)).bytes;
    by.progress?.({ done: 1, total: 3, message: `the document is ready to be written as ${options.format}` });
    const file = await this.#files.export(bytes, options, by, this.#services.clock.now());
    by.progress?.({ done: 2, total: 3, message: `${file.length} bytes are written` });
    return file;
  }

  /**
   * Returns the stored snapshot if it has the current version and the document is not open. Opening the document would
   * only produce the same bytes.
   */
  async #storedSnapshot(document: StoredDocument): Promise<Uint8Array | undefined> {
    if (this.#handles.get(document.id)?.version !== undefined) return undefined;
    const stored = await readSnapshot(this.#services, document.id, document.version);
    return stored?.version === document.version ? stored.bytes : undefined;
  }

  async import<Answer extends object>(
    by: DocumentCaller,
    title: string,
    file: ImportedFile,
    answer: (made: ImportedDocument) => Answer,
  ): Promise<Answer> {
    by.progress?.({ done: 1, total: 3, message: `reading ${file.bytes.length} bytes of ${file.format}` });
    const { snapshot, images, sheets, warnings } = await this.#files.import(file, by, by.stamp.at);
    by.progress?.({ done: 2, total: 3, message: `storing ${sheets.length} sub-sheets` });
    const userId = by.caller.userId;
    for (const { id, key, mime, bytes } of images) {
      const image = { id, ownerId: userId, blobKey: key, contentType: mime, width: 0, height: 0, size: bytes.length };
      await storeCountedBlob(this.#services, { userId, key, bytes, field: 'content' }, () =>
        this.#services.sheets.addImage(null, image, by.stamp.at),
      );
    }
    return this.#createFrom(by, title, snapshot, (id) => answer({ id, sheets: [...sheets], warnings: [...warnings] }));
  }

  view(by: DocumentCaller, file: StoredFile, wishes: ViewOptions): Promise<Uint8Array | undefined> {
    return this.#files.view(file, wishes, by, by.stamp.at);
  }

  draw(userId: string, drawing: Uint8Array): Promise<Uint8Array> {
    return this.#files.draw(userId, drawing);
  }

  text(document: StoredDocument, limit: number): Promise<SourceText> {
    return this.#ask(document, { do: 'text', file: document.id, limit });
  }

  /**
   * Checks a document for damage. Rebuilds version `version` from the stored snapshot and the revision log, and
   * compares the result with the document in memory. Reports a missing or unexpected snapshot too.
   */
  async validate(document: StoredDocument, version: number): Promise<DocumentValidation> {
    const damaged = (err_msg: string): DocumentValidation => ({
      is_valid: false,
      checked_version: version,
      ret_code: 1,
      stage: 'RebuildWorkbook.workbook_cmds',
      failed_mutation_type: 0,
      err_msg,
    });
    let snapshot;
    try {
      snapshot = await readSnapshot(this.#services, document.id, version);
    } catch (error) {
      if (!(error instanceof InitialSnapshotDamaged)) throw error;
      return damaged('the snapshot of the document is damaged or missing');
    }
    const ahead = await this.#services.sheets.orphanedSnapshots(document.id);
    if (ahead.length > 0)
      return damaged(
        `there is a snapshot of version ${ahead.join(', ')}, but the document's latest version is ${document.version}; ` +
          'it is not used, and the next edit deletes it',
      );
    const revisions: LoggedRevision[] = [];
    for (let after = 0; after < version;) {
      const page = await readRevisionPage(this.#services, document.id, after);
      if (page.length === 0) break;
      revisions.push(...page.filter((one) => one.version <= version));
      after = page.at(-1)!.version;
    }
    const served = await this.snapshot(document).catch((error: unknown) => {
      this.#services.log.warn({ file: document.id, err: error }, 'a document cannot be opened; validating its log');
      return undefined;
    });
    const { bytes, version: from = 0 } = snapshot ?? {};
    const logged = { snapshot: bytes, version: from, revisions, target: version, served };
    return this.#threads.sendToSlowLane({ do: 'validate', file: document.id, ...logged }, 10 * 60_000);
  }

  #handle(file: string): DocumentHandle {
    const handle = this.#handles.get(file) ?? new DocumentHandle(file, this.#services, this.#threads, this.#router);
    this.#handles.set(file, handle);
    handle.lastUsed = this.#services.clock.now();
    return handle;
  }

  async #saveAndEvict(): Promise<void> {
    const { clock, sheets, log } = this.#services;
    const now = clock.now();
    await sheets.indexSettled().catch((error: unknown) => log.warn({ err: error }, 'indexing documents'));
    const idle = [...this.#handles.values()].filter((handle) => handle.idle).sort((a, b) => a.lastUsed - b.lastUsed);
    for (const handle of idle) {
      const isLong = handle.unsaved > 0 && handle.openingMs > longToOpenMs;
      const due =
        handle.unsaved >= snapshotAfter ||
        ((isLong || handle.unsaved >= snapshotAfterWhenIdle) && now - handle.lastUsed > idleMs);
      if (due && handle.version !== undefined)
        await this.#saveSnapshot(handle).catch((error: unknown) =>
          this.#services.log.warn({ file: handle.file, err: error }, 'snapshot'),
        );
    }
    let cells = [...this.#handles.values()].reduce((sum, handle) => sum + handle.cells, 0);
    for (const handle of idle) {
      if (this.#handles.size <= maxOpen && cells <= maxOpenCells) break;
      if (!handle.idle) continue;
      this.#handles.delete(handle.file);
      handle.dispose();
      cells -= handle.cells;
      if (handle.version !== undefined)
        await handle.runExclusive(() => this.#threads.send({ do: 'close', file: handle.file }));
    }
  }

  async #saveSnapshot(handle: DocumentHandle): Promise<void> {
    const { sheets, blobs } = this.#services;
    const { version, bytes, mark } = await handle.runExclusive(async () => ({
      ...(await this.#threads.send({ do: 'snapshot', file: handle.file })),
      mark: handle.mark,
    }));
    if (!(await this.#storeSnapshot(handle.file, version, bytes, mark))) return handle.unload();
    handle.snapshotSaved(version);
    const kept = (await sheets.snapshots(handle.file, version)).slice(0, snapshotsKept);
    const oldest = kept.at(-1)?.version ?? 0;
    for (const key of await sheets.dropSnapshots(handle.file, oldest)) await blobs.delete(key);
  }

  /**
   * Stores a snapshot: first its bytes as a blob, then a database row that refers to the blob, so that no row refers to
   * a missing blob. Returns false if the database refused the row, because the database does not contain the revision
   * `mark`. The blob's key contains a hash, so that a different snapshot of the same version is not overwritten.
   */
  async #storeSnapshot(id: string, version: number, bytes: Uint8Array, mark: RevisionId | undefined): Promise<boolean> {
    const { sheets, blobs } = this.#services;
    const hash = sha256(bytes);
    const blobKey = `sheets/${id}/${version}-${hash.slice(0, 16)}`;
    await blobs.put(blobKey, bytes, bytes.length);
    if (await sheets.saveSnapshot(id, { version, blobKey, size: bytes.length, sha256: hash }, mark)) return true;
    const isNamed = (await sheets.snapshots(id, version)).some((one) => one.blobKey === blobKey);
    if (!isNamed) await blobs.delete(blobKey);
    return false;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#router.close();
    await Promise.all([this.#threads.close(), this.#files.close()]);
  }
}
