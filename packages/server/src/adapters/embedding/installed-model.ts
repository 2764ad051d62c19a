import { buffer, text } from 'node:stream/consumers';
import { createReadStream } from 'node:fs';
import type { BlobStore } from '../../ports/blob-store.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import type { Database } from '../sql/database.ts';
import { sql } from '../sql/statement.ts';
import type { ModelFiles } from './embedding-worker-protocol.ts';
import type { ModelFolder } from './model-folder.ts';
import { modelRecord, type ModelRecord, type ModelSettings } from './model-record.ts';

/**
 * The installed embedding model, which turns texts into vectors for the search by meaning: a record in the database,
 * and files in the blob store.
 */
export class InstalledModel {
  readonly #database: Database;
  readonly #blobs: BlobStore;

  constructor(database: Database, blobs: BlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  async record(): Promise<ModelRecord | undefined> {
    const row = await this.#database.get<{ record: string }>('SELECT record FROM embedding_model');
    return row && modelRecord.parse(JSON.parse(row.record));
  }

  async readFiles({ weights, tokenizer }: ModelRecord): Promise<ModelFiles> {
    return {
      weights: await buffer(await this.#file(weights.blobKey)),
      tokenizer: await text(await this.#file(tokenizer.blobKey)),
    };
  }

  /**
   * Replaces the installed model and deletes the files of the previous one. Running servers use the new model only
   * after a restart.
   */
  async replace(settings: ModelSettings, { weights, tokenizer }: ModelFolder): Promise<ModelRecord> {
    const before = await this.record();
    const record: ModelRecord = {
      ...settings,
      weights: { blobKey: `model/${weights.sha256}.onnx`, bytes: weights.bytes, sha256: weights.sha256 },
      tokenizer: { blobKey: `model/${tokenizer.sha256}.json`, bytes: tokenizer.bytes, sha256: tokenizer.sha256 },
    };
    await this.#blobs.put(record.weights.blobKey, createReadStream(weights.path), weights.bytes);
    await this.#blobs.put(record.tokenizer.blobKey, Buffer.from(tokenizer.text), tokenizer.bytes);
    await this.#write('add_model', record);
    await this.#deleteFiles(before, record);
    return record;
  }

  async remove(): Promise<void> {
    const before = await this.record();
    await this.#write('remove_model', undefined);
    await this.#deleteFiles(before, undefined);
  }

  #write(operation: string, record: ModelRecord | undefined): Promise<void> {
    const at = Date.now();
    const target = record?.name ?? '';
    return this.#database.write(systemStamp(at, operation), { target }, async (tx) => {
      await tx.run('DELETE FROM embedding_model');
      if (record)
        await tx.run(sql`INSERT INTO embedding_model (name, record, created_at)
          VALUES (${record.name}, ${JSON.stringify(record)}, ${at})`);
    });
  }

  async #deleteFiles(before: ModelRecord | undefined, now: ModelRecord | undefined): Promise<void> {
    const kept = [now?.weights.blobKey, now?.tokenizer.blobKey];
    for (const { blobKey } of before ? [before.weights, before.tokenizer] : [])
      if (!kept.includes(blobKey)) await this.#blobs.delete(blobKey);
  }

  async #file(key: string) {
    const stream = await this.#blobs.get(key);
    if (!stream) throw new Error(`the file ${key} of the embedding model is missing: add the model again`);
    return stream;
  }
}
