import { createRequire } from 'node:module';
import { runDelayed, runInBackground } from '../../lib/background-tasks.ts';
import { FairScheduler } from '../../lib/fair-scheduler.ts';
import { ThreadTerminated, WorkerThread } from '../../lib/worker-thread.ts';
import { EmbeddingFailed, type Embedder } from '../../ports/embedder.ts';
import type { EmbeddingTask, ModelFiles } from './embedding-worker-protocol.ts';
import { vectorModelName, type ModelRecord } from './model-record.ts';

export interface LocalEmbedderOptions {
  record: ModelRecord;
  /** Reads the model's files. Called again if the worker thread ends unexpectedly. */
  readFiles: () => Promise<ModelFiles>;
  /** Path of the worker's bundle, dist/workers/embedding.js. */
  worker: string;
}

const runtime = 'onnxruntime-web';
export const missingRuntime = `search by meaning in this process needs a package that sheaf does not bring along: npm install ${runtime}@1.30`;
const heapMb = 1024;
/** CPU time limits for loading the model and for one text, in milliseconds. */
const loadMs = 120_000;
const textMs = 30_000;

export function isRuntimeInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(runtime);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/** Runs an embedding model in a thread of this process, one text at a time. */
export class LocalEmbedder implements Embedder {
  readonly model: string;
  readonly share: number;
  readonly baseline: number;
  readonly #options: LocalEmbedderOptions;
  readonly #thread: WorkerThread;
  /**
   * Alternates between search queries and passages of documents, one text at a time. A query therefore waits for at
   * most one passage.
   */
  readonly #scheduler = new FairScheduler({ slots: 1 });
  #loaded: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: LocalEmbedderOptions) {
    const { record, worker: script } = options;
    this.model = vectorModelName(record);
    this.share = record.share;
    this.baseline = record.baseline;
    this.#options = options;
    const worker = { resourceLimits: { maxOldGenerationSizeMb: heapMb } };
    this.#thread = new WorkerThread({
      name: 'embedding thread',
      script,
      worker,
      isIsolated: true,
      measuresCpuTime: true,
      onTerminated: () => (this.#loaded = undefined),
    });
  }

  get isUp(): boolean {
    return this.#failure === undefined;
  }

  async check(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Loads the model in the background, so that the first search need not wait for it. */
  preload(): void {
    void runInBackground('loading the embedding model', () => this.#load());
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async embed(texts: readonly string[], options: Parameters<Embedder['embed']>[1]): Promise<Float32Array[]> {
    const { as, timeoutMs } = options;
    const { queryPrefix, passagePrefix } = this.#options.record;
    const prefix = as === 'query' ? queryPrefix : passagePrefix;
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const vector = this.#scheduler.run(as, () => this.#embed(prefix + text));
      // Only queries have a time limit, because users wait for them. Passages are embedded in the background.
      vectors.push(await (as === 'query' ? withinTime(vector, timeoutMs) : vector));
    }
    return vectors;
  }

  async #embed(text: string): Promise<Float32Array> {
    let isLoaded = false;
    try {
      await this.#load();
      isLoaded = true;
      const vector = await this.#run<Float32Array>({ kind: 'embed', text }, textMs);
      if (!vector.every(Number.isFinite)) throw new EmbeddingFailed({ reason: 'no_vectors', status: 200 });
      this.#failure = undefined;
      return vector;
    } catch (error) {
      if (error instanceof EmbeddingFailed) throw error;
      this.#failure = error;
      // If the worker thread ended because a time or memory limit was exceeded, report that this text cannot be
      // embedded. Report any other error as a failure of the model.
      const isText = isLoaded && error instanceof ThreadTerminated && ['took too long', 'crashed'].includes(error.loss);
      throw new EmbeddingFailed(isText ? { reason: 'no_vectors', status: 200 } : { reason: 'no_answer' }, error);
    }
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#loadOnce().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #loadOnce(): Promise<void> {
    const { readFiles, record } = this.#options;
    const { pooling, maxTokens } = record;
    await this.#run({ kind: 'load', files: await readFiles(), pooling, maxTokens }, loadMs);
  }

  #run<Value>(task: EmbeddingTask, timeoutMs: number): Promise<Value> {
    return this.#thread.run<Value>(task, { timeoutMs });
  }
}

async function withinTime<Value>(value: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = runDelayed('waiting for an embedding', ms, () => reject(new EmbeddingFailed({ reason: 'no_answer' })));
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
    // Mark a later rejection as handled, because the caller may have stopped waiting for the vector.
    value.catch(() => undefined);
  }
}
