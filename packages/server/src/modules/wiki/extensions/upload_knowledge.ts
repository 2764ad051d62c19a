import { decodeBase64 } from '../../../lib/base64.ts';
import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { registerUpload, refuseWrongFormat, refuseTooLarge, requireMediaType } from '../upload-checks.ts';
import { contentTypeOf, extensionOf, storedExtension } from '../media-types.ts';
import { wikiLimits, refuseBlocked, uploadSeconds, writeAndNotify } from '../wiki-writes.ts';
import { requireBase, resolveFolder } from '../permissions.ts';
import { baseId, duplicateStrategy, folderId, password } from '../schema.ts';

const maxBytes = 8 * 2 ** 20;

export const upload_knowledge = operation({
  summary:
    'Adds a file of up to 8 MB, sent as base64, to a knowledge base in one call. For larger files use ' +
    'create_media, upload the file, then call add_knowledge.\nExample: ' +
    '{"knowledge_base_id":"kb_...","file_name":"hello.md","content":"IyBIZWxsbw=="}',
  effect: 'write',
  input: {
    knowledge_base_id: baseId('The knowledge base to add to.'),
    folder_id: folderId().optional(),
    file_name: text('File name; its extension determines the type if content_type does not.', { min: 1, max: 1024 }),
    content: text('File contents as base64.', { min: 1 }),
    content_type: text('MIME type.', { max: 256 }).optional(),
    title: text('Title of the item; the file name if omitted.', { max: 1024 }).optional(),
    password: password().optional(),
    duplicate_name_strategy: duplicateStrategy().optional(),
  },
  output: { media_id: text("The item's media id.") },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const folder = await resolveFolder(context, base, input.folder_id);
    const { type, kind } = requireMediaType(input.content_type ?? '', extensionOf(input.file_name));
    const bytes = await fromBase64(input.content);
    refuseTooLarge(type, bytes.length, 'content');
    const title = input.title || input.file_name;
    refuseBlocked(context, 'title', title);
    refuseBlocked(context, 'file_name', input.file_name);
    const found = await refuseWrongFormat(bytes, kind, true);
    const id = newId('media');
    const { userId } = context.caller;
    const contentType = contentTypeOf(type, kind, found, input.content_type);
    const blobKey = `media/${id}.${storedExtension(type, kind, contentType)}`;
    const now = context.clock.now();
    const file = {
      baseId: base.id,
      userId,
      blobKey,
      fileName: input.file_name,
      contentType,
      mediaType: type.number,
      kind,
      fileSize: bytes.length,
    };
    // Register the upload while the bytes are written. The object is committed only after the upload is registered and
    // charged to the quota.
    const noted = registerUpload(context, {
      ...file,
      mediaId: id,
      fileExt: extensionOf(input.file_name),
      createdAt: now,
      expiresAt: now + uploadSeconds * 1000,
    });
    await context.blobs.put(blobKey, bytes, bytes.length, noted);
    const sealedPassword = input.password ? context.sealer.seal(input.password) : '';
    const item = {
      ...file,
      id,
      folderId: folder,
      title,
      state: 'queued' as const,
      contentId: '',
      lastModifyTime: 0,
      sealedPassword,
    };
    const duplicates = input.duplicate_name_strategy ?? 'keep_both';
    return writeAndNotify(
      context,
      { base: base.id, target: id },
      () => context.wiki.items.addItem(context.stamp, item, duplicates, wikiLimits(context)),
      () => ({ media_id: id }),
    );
  },
});

async function fromBase64(content: string): Promise<Buffer> {
  const bytes = /\s/.test(content) ? undefined : await decodeBase64(content);
  if (!bytes) throw fail('invalid_parameter', 'content: must be base64 without line breaks');
  if (bytes.length === 0) throw fail('invalid_parameter', 'content: the file is empty');
  if (bytes.length > maxBytes)
    throw fail(
      'invalid_parameter',
      `content: must be at most ${maxBytes} bytes (got ${bytes.length}); use create_media for larger files`,
    );
  return bytes;
}
