import { z } from 'zod';
import { newId } from '../../../lib/ids.ts';
import { integer, withListedLimits, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { refuseOverQuota, refuseTooLarge, requireMediaType } from '../upload-checks.ts';
import { contentTypeOf, contentTypeOfExtension, plainExtension, storedExtension } from '../media-types.ts';
import { refuseBlocked, writeAndNotify } from '../wiki-writes.ts';
import { requireBase } from '../permissions.ts';
import { baseId } from '../schema.ts';

const credential = z.object({
  token: text('Temporary token, sent as x-cos-security-token or x-amz-security-token.'),
  secret_id: text('Temporary secret id.'),
  secret_key: text('Temporary secret key.'),
  start_time: integer('Unix seconds.'),
  expired_time: integer('Unix seconds; one hour later.'),
  appid: text('Storage app id.'),
  bucket_name: text('Bucket, in the form name-appid.'),
  region: text('Region of the bucket.'),
  custom_domain: text('host:port at which the upload is accepted.'),
  cos_key: text('The only key that may be written.'),
});

export const create_media = operation({
  summary:
    'Starts a file upload by a program: returns a media_id and storage credentials for this file and one ' +
    'hour. A COS or S3 client sends it to custom_domain as cos_key, then calls add_knowledge. Agents use ' +
    'upload_knowledge.\nExample: ' +
    '{"file_name":"report.pdf","file_size":104857,"content_type":"application/pdf","knowledge_base_id":"kb_...","file_ext":"pdf"}',
  effect: 'write',
  input: {
    file_name: withListedLimits(text("The file's name.", { min: 1, max: 1024 })),
    file_size: integer('Bytes.', { min: 1 }),
    content_type: text('MIME type; if it is unknown, file_ext decides.', { max: 256 }),
    knowledge_base_id: baseId('Where to add.'),
    file_ext: text('File extension without the dot.', { max: 64 }),
  },
  output: {
    media_id: text('Media id; pass it to add_knowledge.'),
    cos_credential: credential.meta({ description: 'Credential for uploading to the object storage.' }),
  },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const { type, kind } = requireMediaType(input.content_type, input.file_ext);
    refuseTooLarge(type, input.file_size);
    refuseBlocked(context, 'file_name', input.file_name);
    await refuseOverQuota(context, input.file_size);
    const mediaId = newId('media');
    const contentType = contentTypeOf(type, kind, input.content_type, contentTypeOfExtension(input.file_ext));
    const blobKey = `media/${mediaId}.${storedExtension(type, kind, contentType)}`;
    const { userId } = context.caller;
    const now = context.clock.now();
    const { expiresAt, ...cos_credential } = context.uploadCredentials.issue({
      mediaId,
      userId,
      baseId: base.id,
      blobKey,
      size: input.file_size,
      now,
    });
    const upload = {
      mediaId,
      userId,
      baseId: base.id,
      blobKey,
      fileName: input.file_name,
      fileExt: plainExtension(input.file_ext),
      contentType,
      mediaType: type.number,
      kind,
      fileSize: input.file_size,
      createdAt: now,
      expiresAt,
    };
    return writeAndNotify(
      context,
      undefined,
      () => context.wiki.uploads.createUpload(context.stamp, upload),
      () => ({ media_id: mediaId, cos_credential }),
    );
  },
});
