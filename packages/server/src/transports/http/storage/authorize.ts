import type { App } from '../../../app.ts';
import type { UploadGrant } from '../../../ports/uploads.ts';
import { readSha1Signature } from './sha1-signature.ts';
import { accessDenied, StorageError } from './storage-error.ts';
import type { StorageRequest } from './storage-request.ts';
import { readV4Signature, type ChunkSigner } from './v4-signature.ts';

/** Tolerated clock difference of clients. */
const skewMs = 5 * 60 * 1000;

export interface Authorized {
  grant: UploadGrant;
  secretId: string;
  /** See V4Signature; UNSIGNED-PAYLOAD for the sha1 scheme, which does not cover the body. */
  payload: string;
  signer: ChunkSigner | undefined;
}

/** Verifies the signature (either scheme) and returns what the credential permits. */
export function authorize(app: App, request: StorageRequest): Authorized {
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
    throw new StorageError(403, 'InvalidAccessKeyId', 'the secret id does not belong to the security token');
  const now = app.services.clock.now();
  const signer = signature.verify(opened.secretKey, now, skewMs, app.address.hostAndPort);
  if (now > opened.grant.expiresAt)
    throw new StorageError(403, 'ExpiredToken', 'the credential has expired; call create_media for a new one');
  return { grant: opened.grant, secretId: opened.secretId, payload: v4?.payload ?? 'UNSIGNED-PAYLOAD', signer };
}
