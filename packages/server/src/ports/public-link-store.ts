import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/** A link that shows a document to anyone who has it. The link contains a secret, of which only the hash is stored. */
export interface PublicLink {
  id: string;
  documentId: string;
  /** User who created the link and whose quota it is charged to. */
  userId: string;
  createdAt: number;
  /** Expiry time; null if the link is valid until revoked. */
  expiresAt: number | null;
}

/** Bytes charged to the creator's quota for each link. */
export const publicLinkBytes = 1024;

export const maxPublicLinks = 20;

/** Thrown when a limit is reached; nothing was written. */
export class PublicLinkRefused extends RefusalError<{ reason: 'too_many'; count: number; limit: number }> {}

/**
 * Stores public links. Guarantees: a link that was revoked, has expired, or whose document or creator was deleted is no
 * longer found by its secret, on any node. Creating a link deletes the document's expired links.
 */
export interface PublicLinkStore {
  /** Stores a link. Throws QuotaExceeded or PublicLinkRefused. */
  create(stamp: Stamp, link: PublicLink, secretHash: string, limits: { quotaBytes: number }): Promise<void>;
  /**
   * Returns the link with this secret hash, or undefined if it has expired. Returns it even if its document is in the
   * trash or its creator lost access; callers must check.
   */
  bySecretHash(secretHash: string, now: number): Promise<PublicLink | undefined>;
  /** Lists the links of a document that have not expired, oldest first. */
  list(documentId: string, now: number): Promise<PublicLink[]>;
  /** Revokes a link of a document. Returns whether the link existed. */
  revoke(stamp: Stamp, documentId: string, id: string): Promise<boolean>;
}
