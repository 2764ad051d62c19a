import { z } from 'zod';
import { flag, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Item } from '../../../ports/wiki-store.ts';
import { requireBase } from '../permissions.ts';
import { hashOf, duplicateFile, toDuplicateFile } from '../duplicate-files.ts';

/** Maximum number of bytes and maximum number of files that one call reads in order to compare them. */
const maxBytes = 256 * 2 ** 20;
const maxFiles = 500;

export const find_duplicates = operation({
  summary:
    'Finds files with the same content (SHA-256), in one knowledge base or in all that the caller may see.\n' +
    'Example: {"knowledge_base_id":"kb_..."}',
  effect: 'read',
  isLong: true,
  input: { knowledge_base_id: text('Only in this base.', { min: 1, max: 80 }).optional() },
  output: {
    duplicates: list(
      'Groups of equal files.',
      z.object({ sha256: text('Their content hash.'), files: list('The files.', duplicateFile) }),
    ),
    is_cut: flag('True if there were more files to compare than one call reads; otherwise absent.').optional(),
  },
  async run({ knowledge_base_id: baseId }, context) {
    const bases =
      baseId === undefined
        ? await context.wiki.bases.basesOf(context.caller.userId)
        : [await requireBase(context, baseId, 'view')];
    const ids = bases.map(({ id }) => id);
    const files = await context.wiki.items.filesOfEqualSize(ids, maxFiles + 1);
    const groups = new Map<string, Item[]>();
    let read = 0;
    let isCut = files.length > maxFiles;
    for (const file of files.slice(0, maxFiles)) {
      read += file.fileSize;
      isCut ||= read > maxBytes;
      if (read > maxBytes || context.signal.aborted) break;
      const hash = await hashOf(context, file.blobKey);
      if (hash !== undefined) groups.set(hash, [...(groups.get(hash) ?? []), file]);
    }
    return {
      duplicates: [...groups]
        .filter(([, same]) => same.length > 1)
        .map(([sha256, same]) => ({ sha256, files: same.map(toDuplicateFile) })),
      ...(isCut ? { is_cut: true } : {}),
    };
  },
});
