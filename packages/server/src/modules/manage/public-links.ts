import { z } from 'zod';
import type { Context } from '../../context.ts';
import { integer, text } from '../../kernel/field-schemas.ts';
import type { PublicLink } from '../../ports/public-link-store.ts';

export const publicLink = z.object({
  link_id: text('Id.'),
  create_time: integer('Unix milliseconds.'),
  expire_time: integer('Unix milliseconds; 0: never.'),
});

export function toPublicLink({ id, createdAt, expiresAt }: PublicLink): z.input<typeof publicLink> {
  return { link_id: id, create_time: createdAt, expire_time: expiresAt ?? 0 };
}

/** Returns the URL of a public link. The secret is in the fragment (after #), which browsers never send to a server. */
export function publicLinkUrl({ publicUrl }: Context, secret: string): string {
  return `${publicUrl.url.replace(/\/$/, '')}/p#${secret}`;
}
