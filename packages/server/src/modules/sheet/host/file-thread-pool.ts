import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { runInBackground, runDelayed } from '../../../lib/background-tasks.ts';
import { isAbortedByClient } from '../../../lib/client-abort.ts';
import { ThreadTerminated } from '../../../lib/worker-thread.ts';
import { FairScheduler } from '../../../lib/fair-scheduler.ts';
import { fail } from '../../../kernel/errors.ts';
import { overLimit } from '../errors.ts';
import type { BlobStore } from '../../../ports/blob-store.ts';
import type {
  DocumentCaller,
  ExportOptions,
  ImportedFile,
  StoredFile,
  ViewOptions,
} from '../../../ports/spreadsheet-service.ts';
import type { ImportResult } from './protocol.ts';
import { QueuedThread } from './queued-thread.ts';

const maxConcurrent = availableParallelism() > 2 ? 3 : 2;
/**
 * Maximum number of file jobs (such as imports and exports) of one user at a time, so that one user cannot occupy all
 * threads.
 */
const maxPerUser = maxConcurrent - 1;
const fileTimeoutMs = 3 * 60_000;
const idleMs = 10_000;
const drawTimeoutMs = 30_000;
/** Maximum number of charts of one user that wait to be drawn. */
const maxQueuedDrawings = 16;
const maxImageBytes = 256 * 2 ** 20;
/**
 * A thread is reused only after files of at most this many bytes. After a larger file the thread is ended, because it
 * holds many times the file's size in memory.
 */
const maxReusedThreadBytes = 2 ** 20;
/**
 * Memory limits per thread. Objects in these threads are either short-lived or large, so a small young generation saves
 * memory.
 */
const threadOptions = { resourceLimits: { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 8 } };

const cancelled = 'the call was cancelled before the file was ready; nothing was changed';

type FileCaller = Pick<DocumentCaller, 'caller' | 'signal'>;

/**
 * Imports and exports files in separate threads that end soon after the job. Open documents stay responsive, and the
 * memory of a large file is freed.
 */
export class FileThreadPool {
  readonly #script: string;
  readonly #blobs: BlobStore;
  readonly #files = new FairScheduler({ slots: maxConcurrent, maxPerOwner: maxPerUser });
  readonly #threads = new Set<QueuedThread>();
  #drawer: QueuedThread | undefined;
  readonly #drawings = new FairScheduler({ slots: 1, maxWaiting: maxQueuedDrawings });
  #idle: QueuedThread | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(script: string, blobs: BlobStore) {
    this.#script = script;
    this.#blobs = blobs;
  }

  export(snapshot: Uint8Array, options: ExportOptions, by: FileCaller, at: number): Promise<Uint8Array> {
    return this.#work(by, snapshot.length, async (thread, file) => {
      await thread.send({ do: 'open', file, snapshot, version: 0, revisions: [] }, { workMs: fileTimeoutMs });
      const images =
        options.format === 'xlsx'
          ? await this.#images((await thread.send({ do: 'images', file }, { workMs: fileTimeoutMs })).keys)
          : new Map<string, Uint8Array>();
      const { bytes } = await thread.send(
        { do: 'export', file, format: options.format, sheet: options.sheetId, safe: options.safe, at, images },
        { workMs: fileTimeoutMs },
      );
      return bytes;
    });
  }

  import({ format, bytes, typed = false }: ImportedFile, by: FileCaller, at: number): Promise<ImportResult> {
    const owner = by.caller.userId;
    return this.#work(by, bytes.length, (thread, file) =>
      thread.send({ do: 'import', file, format, bytes, typed, owner, at }, { workMs: fileTimeoutMs }),
    );
  }

  /**
   * Renders a stored file for viewing. The file is loaded only when a thread is free, so that queued requests use no
   * memory.
   */
  view(
    { format, blobKey }: StoredFile,
    wishes: ViewOptions,
    by: FileCaller,
    at: number,
  ): Promise<Uint8Array | undefined> {
    const owner = by.caller.userId;
    return this.#files.run(owner, async () => {
      if (isAbortedByClient(by.signal)) throw fail('busy', cancelled);
      const bytes = await this.#stored(blobKey);
      if (!bytes) return undefined;
      const view = { do: 'view', format, bytes, owner, at, wishes } as const;
      const send = (thread: QueuedThread, file: string) => thread.send({ ...view, file }, { workMs: fileTimeoutMs });
      return (await this.#inThread(bytes.length, send, by.signal)).bytes;
    });
  }

  /**
   * Draws a chart. One thread draws for all users and is kept running, because loading the drawing libraries takes
   * longer than drawing.
   */
  async draw(userId: string, drawing: Uint8Array): Promise<Uint8Array> {
    if (this.#drawings.isFull(userId))
      throw fail('busy', `${maxQueuedDrawings} of your charts are waiting to be rendered; try again`, {
        retryAfter: 1,
      });
    return this.#drawings.run(userId, () => this.#draw(drawing));
  }

  async #draw(drawing: Uint8Array): Promise<Uint8Array> {
    this.#drawer ??= new QueuedThread(this.#script, () => {
      this.#drawer = undefined;
    });
    try {
      return (await this.#drawer.send({ do: 'draw', file: '', drawing }, { workMs: drawTimeoutMs })).bytes;
    } catch (error) {
      throw error instanceof ThreadTerminated
        ? fail('busy', 'the chart took too long to draw', { retryAfter: 1 })
        : error;
    }
  }

  async #stored(key: string): Promise<Uint8Array | undefined> {
    const stream = await this.#blobs.get(key);
    return stream && buffer(stream);
  }

  async #images(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const images = new Map<string, Uint8Array>();
    let total = 0;
    for (const key of keys) {
      const bytes = await this.#stored(key);
      if (!bytes) continue;
      total += bytes.length;
      if (total > maxImageBytes)
        throw overLimit(`file_id: the document's images are more than ${maxImageBytes} bytes together`);
      images.set(key, bytes);
    }
    return images;
  }

  #work<Result>(
    { caller, signal }: FileCaller,
    size: number,
    job: (thread: QueuedThread, file: string) => Promise<Result>,
  ): Promise<Result> {
    return this.#files.run(caller.userId, () => this.#inThread(size, job, signal));
  }

  /** Runs a job in a thread. Terminates the thread if the job is canceled. */
  async #inThread<Result>(
    size: number,
    job: (thread: QueuedThread, file: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (isAbortedByClient(signal)) throw fail('busy', cancelled);
    const thread = this.#takeIdle() ?? new QueuedThread(this.#script, () => undefined, threadOptions);
    const file = randomUUID();
    this.#threads.add(thread);
    const end = (): void => {
      if (isAbortedByClient(signal)) void runInBackground('ending a file thread', () => thread.close());
    };
    signal?.addEventListener('abort', end);
    try {
      const result = await job(thread, file);
      await thread.send({ do: 'close', file });
      return result;
    } catch (error) {
      if (isAbortedByClient(signal)) throw fail('busy', cancelled);
      throw error instanceof ThreadTerminated
        ? fail('busy', 'the file took too long or too much memory; nothing was changed', { retryAfter: 1 })
        : error;
    } finally {
      this.#threads.delete(thread);
      signal?.removeEventListener('abort', end);
      if (size > maxReusedThreadBytes || isAbortedByClient(signal)) await thread.close();
      else await this.#keep(thread);
    }
  }

  #takeIdle(): QueuedThread | undefined {
    clearTimeout(this.#idleTimer);
    const thread = this.#idle;
    this.#idle = undefined;
    return thread;
  }

  /**
   * Keeps one idle thread for a short time, so that the next file can use it. Ends the thread at once if another idle
   * thread is kept already.
   */
  async #keep(thread: QueuedThread): Promise<void> {
    if (this.#idle || this.#isClosed) {
      await thread.close();
      return;
    }
    this.#idle = thread;
    this.#idleTimer = runDelayed('ending an idle file thread', idleMs, () => this.#takeIdle()?.close()).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#takeIdle()?.close();
    await Promise.all([...this.#threads, ...(this.#drawer ? [this.#drawer] : [])].map((thread) => thread.close()));
  }
}
