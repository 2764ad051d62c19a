import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';
import type { Resource, ResourceKind } from './permission-store.ts';

/**
 * A link that shows an object to anyone who has it. The link contains a secret, of which only the hash is stored; the
 * secret of a link created since version 24 of the schema can be derived from its id.
 */
export interface PublicLink {
  id: string;
  kind: ResourceKind;
  /** Id of the object that the link shows. */
  targetId: string;
  secretHash: string;
  /** User who created the link and whose quota it is charged to. */
  userId: string;
  createdAt: number;
  /** Expiry time; null if the link is valid until revoked. */
  expiresAt: number | null;
}

/**
 * Derives the secrets of public links from their ids, so that a link can be copied again although its secret is not
 * stored.
 */
export interface PublicLinkSecrets {
  secretOf(linkId: string): string;
}

/**
 * Returns the part of a link's URL after #: the kind of the object and the secret. For a spreadsheet it is the secret
 * alone, as in earlier versions, whose links had no kind.
 */
export function linkFragment(kind: ResourceKind, secret: string): string {
  return kind === 'sheet' ? secret : `${kind}.${secret}`;
}

/** Bytes charged to the creator's quota for each link. */
export const publicLinkBytes = 1024;

export const maxPublicLinks = 20;

/** Thrown when a document already has the maximum number of links; nothing was written. */
export class PublicLinkRefused extends RefusalError<{ reason: 'too_many'; count: number; limit: number }> {}

/**
 * Stores public links. Guarantees: a link that was revoked, has expired, or whose object or creator was deleted is no
 * longer found by its secret, on any node. Creating a link deletes the object's expired links.
 */
export interface PublicLinkStore {
  /** Stores a link. Throws QuotaExceeded or PublicLinkRefused. */
  create(stamp: Stamp, link: PublicLink, limits: { quotaBytes: number }): Promise<void>;
  /**
   * Returns the link with this secret hash, or undefined if it has expired. Returns it even if its object is in the
   * trash or its creator lost access; callers must check.
   */
  bySecretHash(secretHash: string, now: number): Promise<PublicLink | undefined>;
  /** Lists the links of an object that have not expired, oldest first. */
  list(of: Resource, now: number): Promise<PublicLink[]>;
  /** Revokes a link of an object. Returns whether the link existed. */
  revoke(stamp: Stamp, of: Resource, id: string): Promise<boolean>;
}
