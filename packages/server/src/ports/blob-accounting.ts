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
  /**
   * Time in Unix milliseconds after which garbage collection deletes the blob, unless a database row refers to it by
   * then. If undefined, the blob is not marked for garbage collection.
   */
  expiresAt?: number;
  /**
   * Audit stamp, and the id of the object that the audit row names. Set only if the charge is the only database write
   * of the call. The charge then also adds the call's audit row.
   */
  stamp?: Stamp;
  target?: string;
  /**
   * Key prefix of the parts of a multipart upload. Set when a blob assembled from these parts is charged. The charges
   * of the parts then end.
   */
  assembledFrom?: string;
}

/**
 * Charges blobs (stored files) to a user's quota as long as no database row refers to them, such as unused uploads and
 * files made for a download link. A charge begins before the first byte is stored. It ends when the blob is deleted, or
 * when a module such as notes begins to refer to the blob and charges its bytes itself. Calling `charge` again for a
 * key replaces the earlier charge.
 */
export interface BlobAccounting {
  /**
   * Charges the bytes of a blob to a user's quota. Callers must call this before they store the blob. Throws
   * QuotaExceeded if the bytes do not fit into the quota.
   */
  charge(userId: string, key: string, bytes: number, options: BlobAccountingOptions): Promise<void>;
  /** Ends the charge of a blob. Called after the blob was deleted. */
  release(key: string): Promise<void>;
  /**
   * Ends the charges of all keys that begin with the prefix, such as those of the parts of an aborted multipart upload.
   */
  releasePrefix(prefix: string): Promise<void>;
}

/**
 * Returns the prefix of the keys under which the parts of a multipart upload are charged to the user's quota. Part
 * numbers follow the prefix. The keys of stored blobs contain no `?`, so none begins with it.
 */
export function uploadPartsPrefix(key: string, uploadId: string): string {
  return `${key}?${uploadId}/`;
}
