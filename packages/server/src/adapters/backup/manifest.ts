import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../lib/hash.ts';

const file = z.object({ file: z.string(), size: z.number(), sha256: z.string() });

const contents = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** Schema version; a restore needs a sheaf that knows it. */
  schema: z.number(),
  database: z.enum(['sqlite', 'postgres']),
  tables: z.array(file.extend({ name: z.string(), rows: z.number(), lastId: z.number().optional() })),
  /** File that lists the blobs: one line of JSON each, with key, file, size and hash. */
  blobs: file.extend({ count: z.number(), bytes: z.number() }),
  /** The installation's secret, encrypted with the passphrase; absent if the backup was made without one. */
  secret: z.object({ salt: z.string(), sealed: z.string() }).optional(),
  /** Keys of blobs that were already damaged and are not in the backup. */
  damaged: z.array(z.string()),
});

const blobLine = z.object({ key: z.string(), file: z.string(), size: z.number(), sha256: z.string() });

export type Manifest = z.infer<typeof contents>;
export type BlobLine = z.infer<typeof blobLine>;

export const manifestFile = 'manifest.json';

export interface BackupProgress {
  stage: 'tables' | 'blobs' | 'verify' | 'load';
  /** The current table or file. */
  name: string;
  done: number;
  /** Unknown while blobs are being listed. */
  total?: number;
}

/** Thrown with a one-line message for the user about a faulty backup. */
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
