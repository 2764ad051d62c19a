import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { inBackground, later } from '../../lib/background.ts';
import { isCancelled } from '../../lib/cancelled.ts';
import { ThreadLost } from '../../lib/thread.ts';
import { Turns } from '../../lib/turns.ts';
import { fail } from '../../operation/errors.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { DocumentCaller, ExportOptions, ImportedFile, StoredFile, ViewWishes } from '../../ports/documents.ts';
import type { Imported } from './protocol.ts';
import { SheetThread } from './sheet-thread.ts';

const maxTogether = availableParallelism() > 2 ? 3 : 2;
/** One user cannot occupy all threads. */
const maxOfOneUser = maxTogether - 1;
const patienceMs = 3 * 60_000;
const idleMs = 10_000;
const drawPatienceMs = 30_000;
/** Per user. */
const maxDrawingsWaiting = 16;
const maxImageBytes = 256 * 2 ** 20;
/** After a larger file the thread is ended, since it would hold many times the file's size in memory. */
const smallBytes = 2 ** 20;
/**
 * Allocations in these threads are either short-lived or large, so a small young generation saves memory at little
 * cost.
 */
const threadOptions = { resourceLimits: { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 8 } };

const cancelled = 'the call was cancelled before the file was ready; nothing was changed';

type FileCaller = Pick<DocumentCaller, 'caller' | 'signal'>;

/**
 * Imports and exports files in separate threads that end soon after the job: documents stay responsive, and the memory
 * of a large file is released.
 */
export class FileThreads {
  readonly #script: string;
  readonly #blobs: BlobStore;
  readonly #files = new Turns({ places: maxTogether, share: maxOfOneUser });
  readonly #threads = new Set<SheetThread>();
  #drawer: SheetThread | undefined;
  readonly #drawings = new Turns({ places: 1, maxWaiting: maxDrawingsWaiting });
  #idle: SheetThread | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(script: string, blobs: BlobStore) {
    this.#script = script;
    this.#blobs = blobs;
  }

  export(snapshot: Uint8Array, options: ExportOptions, by: FileCaller, at: number): Promise<Uint8Array> {
    return this.#work(by, snapshot.length, async (thread, file) => {
      await thread.ask({ do: 'open', file, snapshot, version: 0, revisions: [] }, { workMs: patienceMs });
      const images =
        options.format === 'xlsx'
          ? await this.#images((await thread.ask({ do: 'images', file }, { workMs: patienceMs })).keys)
          : new Map<string, Uint8Array>();
      const { bytes } = await thread.ask(
        { do: 'export', file, format: options.format, sheet: options.sheetId, safe: options.safe, at, images },
        { workMs: patienceMs },
      );
      return bytes;
    });
  }

  import({ format, bytes, typed = false }: ImportedFile, by: FileCaller, at: number): Promise<Imported> {
    const owner = by.caller.userId;
    return this.#work(by, bytes.length, (thread, file) =>
      thread.ask({ do: 'import', file, format, bytes, typed, owner, at }, { workMs: patienceMs }),
    );
  }

  /** Loads the file only when a thread is free, so that waiting requests take no memory. */
  view(
    { format, blobKey }: StoredFile,
    wishes: ViewWishes,
    by: FileCaller,
    at: number,
  ): Promise<Uint8Array | undefined> {
    const owner = by.caller.userId;
    return this.#files.use(owner, async () => {
      if (isCancelled(by.signal)) throw fail('busy', cancelled);
      const bytes = await this.#stored(blobKey);
      if (!bytes) return undefined;
      const view = { do: 'view', format, bytes, owner, at, wishes } as const;
      const { bytes: json } = await this.#inThread(
        bytes.length,
        (thread, file) => thread.ask({ ...view, file }, { workMs: patienceMs }),
        by.signal,
      );
      return json;
    });
  }

  /**
   * Draws in one thread for all users, which take turns. The thread stays alive, because loading the libraries takes
   * longer than drawing.
   */
  async draw(userId: string, drawing: Uint8Array): Promise<Uint8Array> {
    if (this.#drawings.isFull(userId))
      throw fail('busy', `${maxDrawingsWaiting} of your charts are waiting to be rendered; try again`, {
        retryAfter: 1,
      });
    return this.#drawings.use(userId, () => this.#draw(drawing));
  }

  async #draw(drawing: Uint8Array): Promise<Uint8Array> {
    this.#drawer ??= new SheetThread(this.#script, () => {
      this.#drawer = undefined;
    });
    try {
      return (await this.#drawer.ask({ do: 'draw', file: '', drawing }, { workMs: drawPatienceMs })).bytes;
    } catch (error) {
      throw error instanceof ThreadLost ? fail('busy', 'the chart took too long to draw', { retryAfter: 1 }) : error;
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
        throw fail('limit_exceeded', `file_id: the document's images are more than ${maxImageBytes} bytes together`);
      images.set(key, bytes);
    }
    return images;
  }

  #work<Result>(
    { caller, signal }: FileCaller,
    size: number,
    job: (thread: SheetThread, file: string) => Promise<Result>,
  ): Promise<Result> {
    return this.#files.use(caller.userId, () => this.#inThread(size, job, signal));
  }

  /** Runs a job in a thread, and terminates the thread if the job is cancelled. */
  async #inThread<Result>(
    size: number,
    job: (thread: SheetThread, file: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (isCancelled(signal)) throw fail('busy', cancelled);
    const thread = this.#takeIdle() ?? new SheetThread(this.#script, () => undefined, threadOptions);
    const file = randomUUID();
    this.#threads.add(thread);
    const end = (): void => {
      if (isCancelled(signal)) void inBackground('ending a file thread', () => thread.close());
    };
    signal?.addEventListener('abort', end);
    try {
      const result = await job(thread, file);
      await thread.ask({ do: 'close', file });
      return result;
    } catch (error) {
      if (isCancelled(signal)) throw fail('busy', cancelled);
      throw error instanceof ThreadLost
        ? fail('busy', 'the file took too long or too much memory; nothing was changed', { retryAfter: 1 })
        : error;
    } finally {
      this.#threads.delete(thread);
      signal?.removeEventListener('abort', end);
      if (size > smallBytes || isCancelled(signal)) await thread.close();
      else await this.#keep(thread);
    }
  }

  #takeIdle(): SheetThread | undefined {
    clearTimeout(this.#idleTimer);
    const thread = this.#idle;
    this.#idle = undefined;
    return thread;
  }

  /** Keeps a finished thread briefly for the next file, then ends it. */
  async #keep(thread: SheetThread): Promise<void> {
    if (this.#idle || this.#isClosed) {
      await thread.close();
      return;
    }
    this.#idle = thread;
    this.#idleTimer = later('ending an idle file thread', idleMs, () => this.#takeIdle()?.close()).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#takeIdle()?.close();
    await Promise.all([...this.#threads, ...(this.#drawer ? [this.#drawer] : [])].map((thread) => thread.close()));
  }
}
