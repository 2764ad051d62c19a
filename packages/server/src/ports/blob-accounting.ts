import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/** Thrown when an object would exceed the user's storage quota; nothing is stored. `field` is the request field to name. */
export class QuotaExceeded extends RefusalError<{
  reason: 'storage_full';
  field: string;
  bytes: number;
  used: number;
  quota: number;
}> {}

export interface BlobAccountingOptions {
  /** The request field to name in a QuotaExceeded error. */
  field: string;
  /** Quota for users who have none of their own. */
  quotaBytes: number;
  /** Time after which the object becomes garbage, unless a row refers to it by then. */
  expiresAt?: number;
  /** Set when counting the object is the call's only write; `target` is then the audited target. */
  stamp?: Stamp;
  target?: string;
  /** Prefix of the parts that the object is assembled from; their bytes stop counting. */
  assembledFrom?: string;
}

/**
 * Storage accounting for blobs that no module's row counts: unused uploads, and files made for a link. Each object
 * counts against a user's quota under its key, from before its first byte is stored until it is deleted. A module that
 * takes an object over counts it from then on. Calling `charge` again for a key replaces the earlier size.
 */
export interface BlobAccounting {
  /** Throws QuotaExceeded. */
  charge(userId: string, key: string, bytes: number, options: BlobAccountingOptions): Promise<void>;
  /** Stops counting an object that was deleted. */
  release(key: string): Promise<void>;
  /** Stops counting all objects whose keys begin with the prefix. */
  releasePrefix(prefix: string): Promise<void>;
}

/**
 * Key prefix under which the parts of an upload are counted, each followed by its part number. Not a key of the blob
 * store.
 */
export function uploadPartsPrefix(key: string, uploadId: string): string {
  return `${key}?${uploadId}/`;
}
