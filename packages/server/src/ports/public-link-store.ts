import { Refused } from './refused.ts';
import type { Stamp } from './stamp.ts';

/** Shows a document to whoever has its address. The address holds a secret, of which only the hash is kept. */
export interface PublicLink {
  id: string;
  documentId: string;
  /** Who made it, and whose quota it counts against. */
  userId: string;
  createdAt: number;
  /** null: when somebody ends it. */
  expiresAt: number | null;
}

/** What a link counts against its maker's quota. */
export const publicLinkBytes = 1024;

/** Links of one document that are not over. */
export const maxPublicLinks = 20;

/** Nothing was written. */
export class PublicLinkRefused extends Refused<{ reason: 'too_many'; count: number; limit: number }> {}

/**
 * Public links. Guarantees: one that was ended, has run out, or whose document or maker is gone is not found by its secret
 * again, on any node; those that have run out leave with the next one that is made for the same document.
 */
export interface PublicLinkStore {
  /** Throws StorageFull, or PublicLinkRefused. */
  create(stamp: Stamp, link: PublicLink, secretHash: string, limits: { quotaBytes: number }): Promise<void>;
  /** Whatever its document and its maker have become meanwhile; undefined once it has run out. */
  bySecretHash(secretHash: string, now: number): Promise<PublicLink | undefined>;
  /** Those of a document that have not run out, oldest first. */
  list(documentId: string, now: number): Promise<PublicLink[]>;
  /** Whether there was one. */
  end(stamp: Stamp, documentId: string, id: string): Promise<boolean>;
}
