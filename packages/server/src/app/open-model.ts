import { readFile } from 'node:fs/promises';
import { InstalledModel } from '../adapters/embedding/installed-model.ts';
import { LocalEmbedder } from '../adapters/embedding/local-embedder.ts';
import { ModelError, type ModelFolder } from '../adapters/embedding/model-folder.ts';
import { migrate } from '../adapters/sql/migrate.ts';
import type { ModelDownloadOptions } from '../adapters/web/model-download.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../lib/logger.ts';
import { EmbeddingFailed } from '../ports/embedder.ts';
import { workerScriptPath } from '../worker-script.ts';
import { openBlobs } from './open-blobs.ts';
import { openDatabase } from './open-database.ts';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens database and blob store for a command that manages the embedding model, without the rest of the app. */
export async function withInstalledModel<Result>(
  config: Config,
  work: (installed: InstalledModel) => Promise<Result>,
): Promise<Result> {
  const { database, events, searchDatabase } = await openDatabase(config, silent, {});
  try {
    await migrate(database);
    return await work(new InstalledModel(database, await openBlobs(config)));
  } finally {
    await events.close();
    await searchDatabase?.close();
    await database.close();
  }
}

/** Downloads a model. The code for downloads is loaded on demand, because no other command needs it. */
export async function fetchModel(options: ModelDownloadOptions): Promise<void> {
  const { downloadModel } = await import('../adapters/web/model-download.ts');
  await downloadModel(options);
}

/** Embeds a text with the model, so that a model that cannot be run is refused before it is stored. */
export async function verifyModelRuns({ settings, weights, tokenizer }: ModelFolder): Promise<void> {
  const stored = { blobKey: 'model', bytes: 1, sha256: '' };
  const embedder = new LocalEmbedder({
    record: { ...settings, weights: stored, tokenizer: stored },
    readFiles: async () => ({ weights: await readFile(weights.path), tokenizer: tokenizer.text }),
    worker: workerScriptPath('embedding'),
  });
  try {
    await embedder.embed(['sheaf'], { as: 'passage', timeoutMs: 0 });
  } catch (error) {
    if (!(error instanceof EmbeddingFailed)) throw error;
    const { message } = (error.cause ?? error) as Error;
    throw new ModelError(`the model cannot be run: ${message.split('\n')[0]}`, { cause: error });
  } finally {
    await embedder.close();
  }
}
