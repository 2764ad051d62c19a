/** The one bucket, named as storage clients insist: `name-appid`, the app id in digits. */
export const bucket = { name: 'sheaf-1250000000', appId: '1250000000', region: 'sheaf-local' } as const;

/** What `create_media` hands to the client, with the names of the wire. */
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
  /** host:port at which the upload is accepted. */
  custom_domain: string;
  cos_key: string;
}

/** What a credential allows: PUT and multipart of one key, of one size, until it runs out. */
export interface UploadGrant {
  mediaId: string;
  userId: string;
  baseId: string;
  blobKey: string;
  /** Bytes, exactly. */
  size: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

/**
 * Temporary credentials for the object storage endpoint. They carry their grant themselves (sealed in the token), so
 * that every node accepts what any node issued.
 */
export interface UploadCredentials {
  issue(grant: Omit<UploadGrant, 'expiresAt'> & { now: number }): UploadCredential & { expiresAt: number };
  /** The grant of a token with its secret key, or undefined when the token is not ours or was changed. Expiry is the caller's to check. */
  open(token: string): { grant: UploadGrant; secretId: string; secretKey: string } | undefined;
}

/** Encrypts small secrets (a file's password) under the installation's own key. */
export interface Sealer {
  seal(secret: string): string;
  /** Undefined when it was not sealed here. */
  unseal(sealed: string): string | undefined;
}
