import { z } from 'zod';
import type { Context } from '../context.ts';
import { hashSecret, newId } from '../lib/ids.ts';
import { QuotaExceeded } from '../ports/blob-accounting.ts';
import type { Resource } from '../ports/permission-store.ts';
import { linkFragment, PublicLinkRefused, type PublicLink } from '../ports/public-link-store.ts';
import { fail, type Failure } from './errors.ts';
import { integer, text } from './field-schemas.ts';
import { writeAndAnswer } from './idempotent-answer.ts';
import { quotaErrorMessage } from './quota-message.ts';

export const expireTime = () => integer('Unix milliseconds; 0 or omitted: never.', { min: 0 }).optional();

export const publicLink = z.object({
  link_id: text('Id.'),
  create_time: integer('Unix milliseconds.'),
  expire_time: integer('Unix milliseconds; 0: never.'),
});

/**
 * A public link with its URL, as returned in lists. The URL is missing for links that an earlier version of the server
 * created, because it stored only a hash of the secret.
 */
export const listedPublicLink = publicLink.extend({
  url: text('Its address; absent for links that an earlier version created.').optional(),
});

type LinkInfo = z.input<typeof publicLink>;

/**
 * Creates a public link to the object `of` and returns the link with its URL. If the quota or the maximum number of
 * links would be exceeded, throws the error that `refuse` makes from a message. A message about too many links begins
 * with `subject`, such as `file_id: the document`.
 */
export async function createPublicLink(
  context: Context,
  of: Resource,
  subject: string,
  expireTime: number | undefined,
  refuse: (message: string) => Failure,
): Promise<{ link: LinkInfo; url: string }> {
  const expiresAt = expireTime ? expireTime : null;
  if (expiresAt !== null && expiresAt <= context.clock.now())
    throw fail('invalid_parameter', `expire_time: must be in the future (got ${expiresAt})`);
  const id = newId('link');
  const secret = context.publicLinkSecrets.secretOf(id);
  const link: PublicLink = {
    id,
    kind: of.kind,
    targetId: of.id,
    secretHash: hashSecret(secret),
    userId: context.caller.userId,
    createdAt: context.stamp.at,
    expiresAt,
  };
  try {
    const { SHEAF_QUOTA_BYTES: quotaBytes } = context.config;
    return await writeAndAnswer(
      context,
      () => context.publicLinks.create(context.stamp, link, { quotaBytes }),
      () => ({ link: toInfo(link), url: publicLinkUrl(context, of.kind, secret) }),
    );
  } catch (error) {
    if (error instanceof QuotaExceeded) throw refuse(quotaErrorMessage(error));
    if (!(error instanceof PublicLinkRefused)) throw error;
    const { count, limit } = error.why;
    throw refuse(`${subject} has ${count} public links, at most ${limit}; end one first`);
  }
}

export async function listPublicLinks(context: Context, of: Resource): Promise<z.input<typeof listedPublicLink>[]> {
  const links = await context.publicLinks.list(of, context.clock.now());
  return links.map((link) => {
    const secret = context.publicLinkSecrets.secretOf(link.id);
    return {
      ...toInfo(link),
      ...(hashSecret(secret) === link.secretHash ? { url: publicLinkUrl(context, of.kind, secret) } : {}),
    };
  });
}

function toInfo({ id, createdAt, expiresAt }: PublicLink): LinkInfo {
  return { link_id: id, create_time: createdAt, expire_time: expiresAt ?? 0 };
}

/** Returns the URL of a public link. The secret is in the fragment (after #), which browsers never send to a server. */
function publicLinkUrl({ publicUrl }: Context, kind: Resource['kind'], secret: string): string {
  return `${publicUrl.url.replace(/\/$/, '')}/p#${linkFragment(kind, secret)}`;
}
