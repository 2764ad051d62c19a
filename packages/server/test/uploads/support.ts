/**
 * Uploads as clients make them.
 *
 *   const grant = await newGrant(server, { bytes: 1000 });      // a base, a pending upload and its credential
 *   await cosClient(grant).putObject({...}); await awsClient(grant).send(new PutObjectCommand({...}));
 */
import { S3Client } from '@aws-sdk/client-s3';
import COS from 'cos-nodejs-sdk-v5';
import { newId } from '../../src/lib/ids.ts';
import { systemStamp } from '../../src/ports/audit-stamp.ts';
import type { UploadCredential } from '../../src/ports/upload-credentials.ts';
import type { TestServer } from '@sheaf/tools/testing/test-server.ts';

export interface Grant extends UploadCredential {
  mediaId: string;
  baseId: string;
}

/** Makes the upload as create_media does, without its checks of type and size. */
export async function newGrant(
  server: TestServer,
  options: { bytes: number; userId?: string; now?: number },
): Promise<Grant> {
  const { services } = server.app;
  const userId = options.userId ?? server.owner.userId;
  const now = options.now ?? services.clock.now();
  const baseId = newId('kb');
  const mediaId = newId('media');
  const blobKey = `media/${mediaId}`;
  await services.wiki.bases.createBase(systemStamp(now, 'test', userId), {
    id: baseId,
    userId,
    name: 'base',
    description: '',
    coverUrl: '',
    questions: [],
    isPersonal: false,
  });
  const credential = services.uploadCredentials.issue({ mediaId, userId, baseId, blobKey, size: options.bytes, now });
  await services.wiki.uploads.createUpload(systemStamp(now, 'test', userId), {
    mediaId,
    userId,
    baseId,
    blobKey,
    fileName: 'a.txt',
    fileExt: 'txt',
    contentType: 'text/plain',
    mediaType: 13,
    kind: 'text',
    fileSize: options.bytes,
    createdAt: now,
    expiresAt: credential.expiresAt,
  });
  return { ...credential, mediaId, baseId };
}

export function cosClient(credential: UploadCredential, options: Partial<COS.COSOptions> = {}): COS {
  return new COS({
    SecretId: credential.secret_id,
    SecretKey: credential.secret_key,
    SecurityToken: credential.token,
    Domain: credential.custom_domain,
    Protocol: 'http:',
    ...options,
  });
}

export function awsClient(credential: UploadCredential, options: object = {}): S3Client {
  return new S3Client({
    endpoint: `http://${credential.custom_domain}`,
    region: credential.region,
    forcePathStyle: true,
    credentials: {
      accessKeyId: credential.secret_id,
      secretAccessKey: credential.secret_key,
      sessionToken: credential.token,
    },
    ...options,
  });
}

/** Bytes that differ from place to place. */
export function patterned(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8)) & 255;
  return bytes;
}
