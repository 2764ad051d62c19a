import { join, resolve } from 'node:path';
import { FilesystemBlobStore } from '../adapters/blob/filesystem-store.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../ports/blob-store.ts';

/** Opens the blob store. `onError` is called for each failed request to an object store. */
export async function openBlobs(config: Config, onError?: () => void): Promise<BlobStore> {
  if (!config.SHEAF_S3_ENDPOINT) return new FilesystemBlobStore(join(resolve(config.SHEAF_DATA), 'blobs'));
  const { S3BlobStore } = await import('../adapters/blob/s3-store.ts');
  return new S3BlobStore({
    endpoint: config.SHEAF_S3_ENDPOINT,
    bucket: config.SHEAF_S3_BUCKET!,
    region: config.SHEAF_S3_REGION,
    accessKey: config.SHEAF_S3_ACCESS_KEY!,
    secretKey: config.SHEAF_S3_SECRET_KEY!,
    ...(onError ? { onError } : {}),
  });
}
