import { z } from 'zod';
import { hashSecret, newId, newSecret } from '../../../lib/ids.ts';
import { invalid, overLimit } from '../../sheet/errors.ts';
import { integer, text } from '../../../kernel/field-schemas.ts';
import { quotaErrorMessage } from '../../../kernel/quota-message.ts';
import { operation } from '../../../kernel/operation.ts';
import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import { PublicLinkRefused } from '../../../ports/public-link-store.ts';
import { publicLink, publicLinkUrl, toPublicLink } from '../public-links.ts';
import { fileId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const create_public_link = operation({
  name: 'create_public_link',
  summary: 'Creates an address where anyone can view the document without signing in. It is shown only here.',
  effect: 'write',
  secretAnswer: true,
  input: z.object({
    file_id: fileId(),
    expire_time: integer('Unix milliseconds; 0 or omitted: never.', { min: 0 }).optional(),
  }),
  output: z.object({ link: publicLink.meta({ description: 'The link.' }), url: text('Its address.') }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    const expiresAt = input.expire_time ? input.expire_time : null;
    if (expiresAt !== null && expiresAt <= context.clock.now())
      throw invalid(`expire_time: must be in the future (got ${expiresAt})`);
    const secret = newSecret('pl');
    const link = {
      id: newId('link'),
      documentId: document.id,
      userId: context.caller.userId,
      createdAt: context.stamp.at,
      expiresAt,
    };
    try {
      const { SHEAF_QUOTA_BYTES: quotaBytes } = context.config;
      return await writeAndAnswer(
        context,
        () => context.publicLinks.create(context.stamp, link, hashSecret(secret), { quotaBytes }),
        () => ({ link: toPublicLink(link), url: publicLinkUrl(context, secret) }),
      );
    } catch (error) {
      if (error instanceof QuotaExceeded) throw overLimit(quotaErrorMessage(error));
      if (!(error instanceof PublicLinkRefused)) throw error;
      const { count, limit } = error.why;
      throw overLimit(`file_id: the document has ${count} public links, at most ${limit}; end one first`);
    }
  },
});
