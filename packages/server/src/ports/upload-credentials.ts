/** The only bucket. Storage clients require the form `name-appid` with a numeric app id. */
export const uploadBucket = { name: 'sheaf-1250000000', appId: '1250000000', region: 'sheaf-local' } as const;

/** Upload credential as `create_media` returns it, with the wire's field names. */
export interface UploadCredential {
  token: string;
  secret_id: string;
  secret_key: string;
  /** Unix seconds. */
  start_time: number;
  expired_time: number;
  appid: string;
  /** `name-appid`. */
  bucket_name: string;
  region: string;
  /** host:port of the upload endpoint. */
  custom_domain: string;
  cos_key: string;
}

/** What a credential permits: PUT and multipart upload of one key with one size, until it expires. */
export interface UploadGrant {
  mediaId: string;
  userId: string;
  baseId: string;
  blobKey: string;
  /** Exact size in bytes. */
  size: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

/**
 * Temporary credentials for the object storage endpoint. The encrypted grant is inside the token, so that every node
 * accepts credentials from any node.
 */
export interface UploadCredentials {
  issue(grant: Omit<UploadGrant, 'expiresAt'> & { now: number }): UploadCredential & { expiresAt: number };
  /**
   * Grant and secret key of a token; undefined if the token is not ours or was altered. The caller must check the
   * expiry.
   */
  open(token: string): { grant: UploadGrant; secretId: string; secretKey: string } | undefined;
}

/** Encrypts small secrets (a file's password) with the installation's key. */
export interface Sealer {
  seal(secret: string): string;
  /** Undefined if the value was not encrypted by this installation. */
  unseal(sealed: string): string | undefined;
}
