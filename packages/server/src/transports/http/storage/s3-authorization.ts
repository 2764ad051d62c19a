import type { App } from '../../../app.ts';
import type { UploadGrant } from '../../../ports/upload-credentials.ts';
import { readSha1Signature } from './sha1-signature.ts';
import { accessDenied, S3EndpointError } from './s3-error.ts';
import type { S3Request } from './s3-request.ts';
import { readV4Signature, type ChunkSigner } from './v4-signature.ts';

/** Tolerated difference between the clocks of client and server, in milliseconds. */
const skewMs = 5 * 60 * 1000;

export interface AuthorizedUpload {
  grant: UploadGrant;
  secretId: string;
  /**
   * Value of the header x-amz-content-sha256 (see V4Signature). It is UNSIGNED-PAYLOAD for the sha1 scheme, which does
   * not sign the body.
   */
  payload: string;
  signer: ChunkSigner | undefined;
}

/**
 * Verifies the request's signature (AWS Signature Version 4, or the sha1 scheme of Tencent Cloud). Returns what the
 * credential permits. Throws an S3 error if the signature or the credential is not valid.
 */
export function authorizeS3Request(app: App, request: S3Request): AuthorizedUpload {
  const v4 = readV4Signature(request);
  const signature = v4 ?? readSha1Signature(request);
  if (!signature) throw accessDenied('the request is not signed; sign it with the credential from create_media');
  if (!signature.token)
    throw accessDenied(
      "the request has no security token; send the credential's token as x-cos-security-token or x-amz-security-token",
    );
  const opened = app.services.uploadCredentials.open(signature.token);
  if (!opened) throw accessDenied('the security token was not issued by this server');
  if (opened.secretId !== signature.secretId)
    throw new S3EndpointError(403, 'InvalidAccessKeyId', 'the secret id does not belong to the security token');
  const now = app.services.clock.now();
  const signer = signature.verify(opened.secretKey, now, skewMs, app.publicUrl.hostAndPort);
  if (now > opened.grant.expiresAt)
    throw new S3EndpointError(403, 'ExpiredToken', 'the credential has expired; call create_media for a new one');
  return { grant: opened.grant, secretId: opened.secretId, payload: v4?.payload ?? 'UNSIGNED-PAYLOAD', signer };
}

/**
 * Returns whether the user is active. This is checked at each use of an upload credential, because credentials stay
 * valid for an hour.
 */
export async function isActiveUser(app: App, userId: string): Promise<boolean> {
  return (await app.services.accounts.user(userId))?.state === 'active';
}
