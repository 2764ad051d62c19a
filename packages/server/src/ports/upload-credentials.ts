/**
 * The only bucket of the server's upload endpoint, which imitates S3 and Tencent COS. COS clients require a bucket name
 * of the form `name-appid` with a numeric app id.
 */
export const uploadBucket = { name: 'sheaf-1250000000', appId: '1250000000', region: 'sheaf-local' } as const;

/** Upload credential in the answer of `create_media`, with the field names of the API. */
export interface UploadCredential {
  token: string;
  secret_id: string;
  secret_key: string;
  /** Time in Unix seconds from which the upload credential is valid. It is valid until `expired_time`. */
  start_time: number;
  expired_time: number;
  appid: string;
  /** Name of the upload bucket, in the form `name-appid`. */
  bucket_name: string;
  region: string;
  /** Host and port of the upload endpoint, as `host:port`. */
  custom_domain: string;
  cos_key: string;
}

/** Rights of a credential: PUT and multipart upload of one object with a fixed key and size, until `expiresAt`. */
export interface UploadGrant {
  mediaId: string;
  userId: string;
  baseId: string;
  blobKey: string;
  size: number;
  /** Expiry of the upload credential in Unix milliseconds. */
  expiresAt: number;
}

/**
 * Issues temporary credentials for the object storage endpoint. The token contains the encrypted grant, so that every
 * node accepts credentials issued by any node.
 */
export interface UploadCredentialIssuer {
  issue(grant: Omit<UploadGrant, 'expiresAt'> & { now: number }): UploadCredential & { expiresAt: number };
  /**
   * Decrypts a token. Returns its grant, and the secret id and secret key of its credential. Returns undefined if the
   * token was altered or is not from this installation. The caller must check whether the grant has expired.
   */
  open(token: string): { grant: UploadGrant; secretId: string; secretKey: string } | undefined;
}

/** Encrypts small secrets, such as a file's password, with a key of this installation. */
export interface Sealer {
  seal(secret: string): string;
  /** Decrypts a value. Returns undefined if it was not encrypted by this installation. */
  unseal(sealed: string): string | undefined;
}
