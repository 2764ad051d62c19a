import { createHash } from 'node:crypto';
import type { Attachment } from '@sheaf/files';
import type { Services } from '../../../context.ts';
import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import { parseJob, WikiRefused, type Item } from '../../../ports/wiki-store.ts';
import { publishBaseEvent } from '../events.ts';
import { classifyAttachment } from '../file-classification.ts';
import { findBlockedWord, maxTitleLength, wikiLimits } from '../wiki-writes.ts';

/** Time in milliseconds after which a stored attachment is deleted if no item refers to it. */
const uploadTtlMs = 60 * 60_000;
/**
 * If a mail is nested in this many other mails, its attachments do not become items. Otherwise, the contents of the
 * inner mails would be stored once more for each level.
 */
const maxMailDepth = 3;

/**
 * Adds each attachment of a mail as an item to the folder of the mail. The attachments count toward the storage quota
 * of the user who added the mail. Item ids are derived from the mail and the contents, so that parsing the mail again
 * adds no duplicates. Returns a remark if some attachments were not added, otherwise undefined.
 */
export async function addAttachmentItems(
  services: Services,
  stamp: () => Stamp,
  mail: Item,
  attachments: readonly Attachment[],
): Promise<string | undefined> {
  if (attachments.length === 0) return undefined;
  if ((await mailDepth(services, mail)) >= maxMailDepth)
    return `The mail is inside ${maxMailDepth} others; its attachments are not items of their own.`;
  const failed: string[] = [];
  for (const attachment of attachments) {
    const reason = await keepAttachment(services, stamp(), mail, attachment);
    if (reason !== undefined) failed.push(`${attachment.name}: ${reason}`);
  }
  if (failed.length === 0) return undefined;
  return `${failed.length} of ${attachments.length} attachments were not kept. ${failed.slice(0, 3).join('; ')}`;
}

/** Returns how many nested mails contain an item, at most `maxMailDepth`; 0 for an uploaded mail. */
async function mailDepth(services: Services, item: Item): Promise<number> {
  let depth = 0;
  for (let at: Item | undefined = item; at && at.contentId !== '' && depth < maxMailDepth; depth++)
    at = await services.wiki.items.item(at.contentId);
  return depth;
}

async function keepAttachment(
  services: Services,
  stamp: Stamp,
  mail: Item,
  { name, contentType: declared, bytes }: Attachment,
): Promise<string | undefined> {
  const { wiki, blobs, blobAccounting, clock } = services;
  const fileName = safeName(name);
  if (findBlockedWord(services, fileName) !== undefined) return 'its name contains a blocked word';
  const id = attachmentId(mail, fileName, bytes);
  if (await wiki.items.item(id)) return undefined;
  const file = await classifyAttachment({ bytes, whole: true, fileName, contentType: declared });
  const blobKey = `media/${id}.${file.extension}`;
  const limits = wikiLimits(services);
  try {
    await blobAccounting.charge(mail.userId, blobKey, bytes.length, {
      field: 'The attachment',
      quotaBytes: limits.quotaBytes,
      expiresAt: clock.now() + uploadTtlMs,
    });
    await blobs.put(blobKey, bytes, bytes.length);
    await wiki.items.addItem(
      stamp,
      {
        id,
        baseId: mail.baseId,
        folderId: mail.folderId,
        userId: mail.userId,
        mediaType: file.type.number,
        title: fileName,
        state: 'queued',
        kind: file.kind,
        fileName,
        contentType: file.contentType,
        fileSize: bytes.length,
        blobKey,
        // Id of the mail that contains the attachment.
        contentId: mail.id,
        lastModifyTime: 0,
        sealedPassword: '',
      },
      'keep_both',
      limits,
    );
  } catch (error) {
    if (error instanceof QuotaExceeded) return 'the storage quota is used up';
    if (error instanceof WikiRefused) return 'its folder no longer exists';
    throw error;
  }
  publishBaseEvent(services, mail.baseId, {
    user_id: mail.userId,
    key_id: '',
    operation: `job:${parseJob}`,
    target: id,
    state: 'queued',
  });
  return undefined;
}

function attachmentId(mail: Item, fileName: string, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(`${mail.id}\n${fileName}\n`).update(bytes).digest('hex');
  // Take the part of the id that encodes the creation time from the mail's id, so that the same attachment always gets
  // the same id.
  return `${mail.id.slice(0, 'media_'.length + 9)}${hash.slice(0, 24)}`;
}

/** Returns the attachment's name as a valid file name: without folders and control characters, and shortened. */
function safeName(name: string): string {
  const plain = name
    .replace(/^.*[\\/]/, '')
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
    .trim();
  return [...plain].slice(0, maxTitleLength).join('') || 'attachment';
}
