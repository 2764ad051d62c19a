import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/** Shows a document to anyone who has the link. The link contains a secret, of which only the hash is stored. */
export interface PublicLink {
  id: string;
  documentId: string;
  /** The user who created the link; it counts against this user's quota. */
  userId: string;
  createdAt: number;
  /** Expiry time; null = until revoked. */
  expiresAt: number | null;
}

/** Bytes a link counts against its creator's quota. */
export const publicLinkBytes = 1024;

/** Maximum number of active links per document. */
export const maxPublicLinks = 20;

/** Thrown when a limit is reached; nothing was written. */
export class PublicLinkRefused extends RefusalError<{ reason: 'too_many'; count: number; limit: number }> {}

/**
 * Public links. Guarantees: a link that was revoked, has expired, or whose document or creator was deleted is no longer
 * found by its secret, on any node. Creating a link deletes the document's expired links.
 */
export interface PublicLinkStore {
  /** Throws QuotaExceeded or PublicLinkRefused. */
  create(stamp: Stamp, link: PublicLink, secretHash: string, limits: { quotaBytes: number }): Promise<void>;
  /**
   * Returns the link even if its document was trashed or its creator lost access; callers must check. Undefined once
   * expired.
   */
  bySecretHash(secretHash: string, now: number): Promise<PublicLink | undefined>;
  /** Links of a document that have not expired, oldest first. */
  list(documentId: string, now: number): Promise<PublicLink[]>;
  /** Returns whether the link existed. */
  revoke(stamp: Stamp, documentId: string, id: string): Promise<boolean>;
}
