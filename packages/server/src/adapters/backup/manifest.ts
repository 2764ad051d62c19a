import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../lib/hash.ts';

const file = z.object({ file: z.string(), size: z.number(), sha256: z.string() });

const contents = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /**
   * Number of the newest migration in the backed-up database. A restore by an older server, which does not know this
   * migration, is refused.
   */
  schema: z.number(),
  database: z.enum(['sqlite', 'postgres']),
  tables: z.array(file.extend({ name: z.string(), rows: z.number(), lastId: z.number().optional() })),
  /**
   * File that lists the blobs as JSON lines, each with key, file, size and hash. `count` and `bytes` are the number of
   * blobs and their total size.
   */
  blobs: file.extend({ count: z.number(), bytes: z.number() }),
  /** The installation's secret, encrypted with the passphrase; absent if the backup was made without one. */
  secret: z.object({ salt: z.string(), sealed: z.string() }).optional(),
  /** Keys of blobs that are missing from the backup because they were already damaged. */
  damaged: z.array(z.string()),
});

const blobLine = z.object({ key: z.string(), file: z.string(), size: z.number(), sha256: z.string() });

export type Manifest = z.infer<typeof contents>;
export type BlobLine = z.infer<typeof blobLine>;

export const manifestFile = 'manifest.json';

export interface BackupProgress {
  stage: 'tables' | 'blobs' | 'verify' | 'load';
  name: string;
  done: number;
  /**
   * Total number of tables, files or blobs in this stage. Undefined while a backup copies blobs, because it lists them
   * as it copies.
   */
  total?: number;
}

/** Thrown if a backup or restore cannot be done. The one-line message is shown to the user. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupError';
  }
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: checksum(manifest) }, null, 2)}\n`;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${folder} is not a backup: ${manifestFile} cannot be read (${error.code})`);
  });
  try {
    const { checksum: given, ...rest } = JSON.parse(text) as Record<string, unknown>;
    const manifest = contents.parse(rest);
    if (given === checksum(manifest)) return manifest;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
  }
  throw new BackupError(`the backup is damaged: ${manifestFile} is not as written`);
}

export function parseBlobLine(line: string): BlobLine {
  return blobLine.parse(JSON.parse(line));
}

function checksum(manifest: Manifest): string {
  return sha256(JSON.stringify(contents.parse(manifest)));
}
