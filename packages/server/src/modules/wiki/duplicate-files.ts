import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { text } from '../../kernel/field-schemas.ts';
import type { Item } from '../../ports/wiki-store.ts';

/** Maximum number of files that are compared with an uploaded file of the same size, to find identical ones. */
const maxCompared = 50;
const maxComparedBytes = 128 * 2 ** 20;

export const duplicateFile = z.object({
  media_id: text('The item.'),
  title: text('Its title.'),
  knowledge_base_id: text('The knowledge base it is in.'),
});

type DuplicateFile = z.input<typeof duplicateFile>;

/**
 * Returns the files that have the same content as an upload and that the caller may see. Returns none if the comparison
 * would read too many bytes.
 */
export async function findDuplicateFiles(
  context: Context,
  upload: { blobKey: string; fileSize: number },
): Promise<DuplicateFile[]> {
  const bases = await context.wiki.bases.basesOf(context.caller.userId);
  const alike = await context.wiki.items.filesOfSize(
    bases.map(({ id }) => id),
    upload.fileSize,
    maxCompared,
  );
  if (alike.length === 0 || upload.fileSize * (alike.length + 1) > maxComparedBytes) return [];
  const hash = await hashOf(context, upload.blobKey);
  if (hash === undefined) return [];
  const same: DuplicateFile[] = [];
  for (const item of alike) if ((await hashOf(context, item.blobKey)) === hash) same.push(toDuplicateFile(item));
  return same;
}

export function toDuplicateFile({ id, title, baseId }: Item): DuplicateFile {
  return { media_id: id, title, knowledge_base_id: baseId };
}

/** Returns the SHA-256 hash of a stored file; undefined if the file does not exist. The file is read as a stream. */
export async function hashOf({ blobs }: Pick<Context, 'blobs'>, blobKey: string): Promise<string | undefined> {
  const stream = await blobs.get(blobKey);
  if (!stream) return undefined;
  const hash = createHash('sha256');
  for await (const piece of stream) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}
