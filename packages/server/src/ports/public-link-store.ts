import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';
import type { Resource, ResourceKind } from './permission-store.ts';

/**
 * A link that shows an object to anyone who has the link. Only the hash of the link's secret is stored. For links
 * created since database schema version 24, the secret can be computed again from the link's id and a key of this
 * installation.
 */
export interface PublicLink {
  id: string;
  kind: ResourceKind;
  /** Id of the object that the link shows. */
  targetId: string;
  secretHash: string;
  /** User who created the link and whose quota is charged for it. */
  userId: string;
  createdAt: number;
  /** Expiry time of the public link; null if the link is valid until revoked. */
  expiresAt: number | null;
}

/**
 * Computes the secret of a public link from its id and a key of this installation, so that users can copy a link again
 * although its secret is not stored.
 */
export interface LinkSecretDeriver {
  secretOf(linkId: string): string;
}

/**
 * Returns the part after `#` of a public link's URL: the kind of the object and the secret. For a spreadsheet it is
 * only the secret, because such links of earlier versions have this form.
 */
export function linkFragment(kind: ResourceKind, secret: string): string {
  return kind === 'sheet' ? secret : `${kind}.${secret}`;
}

/** Bytes charged to the creator's quota for each public link. */
export const publicLinkBytes = 1024;

export const maxPublicLinks = 20;

/** Thrown when an object already has the maximum number of public links; nothing was written. */
export class PublicLinkRefused extends RefusalError<{ reason: 'too_many'; count: number; limit: number }> {}

/**
 * Stores public links. On every node, a link cannot be found by its secret after it was revoked or has expired, or
 * after its object or creator was permanently deleted. Creating a link deletes the object's expired links.
 */
export interface PublicLinkStore {
  /** Stores a link. Throws QuotaExceeded, or PublicLinkRefused if the object has too many links. */
  create(stamp: Stamp, link: PublicLink, limits: { quotaBytes: number }): Promise<void>;
  /**
   * Returns the link with this secret hash, or undefined if there is none or it has expired. Callers must check that
   * the object is not in the trash and that the link's creator still has access to it.
   */
  bySecretHash(secretHash: string, now: number): Promise<PublicLink | undefined>;
  /** Lists the links of an object that have not expired, oldest first. */
  list(of: Resource, now: number): Promise<PublicLink[]>;
  /** Revokes a link of an object. Returns whether the link existed. */
  revoke(stamp: Stamp, of: Resource, id: string): Promise<boolean>;
}
