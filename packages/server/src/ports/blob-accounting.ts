import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/**
 * Thrown when an object would exceed the user's storage quota; nothing is stored. `field` is the request field that the
 * error message names.
 */
export class QuotaExceeded extends RefusalError<{
  reason: 'storage_full';
  field: string;
  bytes: number;
  used: number;
  quota: number;
}> {}

export interface BlobAccountingOptions {
  /** Request field that the message of a QuotaExceeded error names. */
  field: string;
  /** Quota in bytes for users without a quota of their own. */
  quotaBytes: number;
  /** Time after which the object is deleted, unless a database row refers to it by then. */
  expiresAt?: number;
  /**
   * Audit stamp and target. Set only if charging the object is the call's only write, which then adds the call's audit
   * row.
   */
  stamp?: Stamp;
  target?: string;
  /** Key prefix of the parts from which the object was assembled. These parts are no longer charged. */
  assembledFrom?: string;
}

/**
 * Charges blobs to a user's quota while no module charges them, such as unused uploads and files made for a download
 * link. A charge begins before the first byte is stored, and ends when the object is deleted or a module charges it
 * instead. Calling `charge` again for a key replaces the earlier size.
 */
export interface BlobAccounting {
  /** Charges the bytes of a stored object to a user's quota. Throws QuotaExceeded if they do not fit. */
  charge(userId: string, key: string, bytes: number, options: BlobAccountingOptions): Promise<void>;
  /** Stops charging an object's bytes to a user's quota, because the object was deleted. */
  release(key: string): Promise<void>;
  /** Stops charging all objects whose keys begin with the prefix. */
  releasePrefix(prefix: string): Promise<void>;
}

/**
 * Returns the key prefix under which the parts of a multipart upload are charged to the user's quota; part numbers
 * follow it. No blob has a key with this prefix.
 */
export function uploadPartsPrefix(key: string, uploadId: string): string {
  return `${key}?${uploadId}/`;
}
