import { uploadBucket } from '../../../ports/upload-credentials.ts';

/**
 * Returns the CORS headers of an answer of the storage endpoint. They permit uploads from a browser only to our own web
 * page, under any of our host names.
 */
export function corsHeaders(
  origin: string | undefined,
  host: string | undefined,
  ownOrigin: string,
): Record<string, string> {
  if (origin === undefined || !isOwn(origin, host ?? '', ownOrigin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, PUT, POST, DELETE, HEAD',
    'access-control-allow-headers':
      'authorization, content-type, content-md5, content-encoding, x-cos-security-token, x-cos-acl, ' +
      'x-cos-storage-class, x-amz-security-token, x-amz-date, x-amz-content-sha256, x-amz-user-agent, ' +
      'x-amz-decoded-content-length, x-amz-trailer, x-amz-sdk-checksum-algorithm, ' +
      'x-amz-checksum-algorithm, x-amz-checksum-type, x-amz-checksum-crc32, x-amz-checksum-crc32c, ' +
      'x-amz-checksum-crc64nvme, x-amz-checksum-sha1, x-amz-checksum-sha256, amz-sdk-invocation-id, ' +
      'amz-sdk-request',
    'access-control-expose-headers': 'etag, date, x-cos-request-id, x-amz-request-id',
    'access-control-max-age': '3600',
  };
}

function isOwn(origin: string, host: string, ownOrigin: string): boolean {
  if (origin === ownOrigin) return true;
  if (!URL.canParse(origin)) return false;
  const bare = host.startsWith(`${uploadBucket.name}.`) ? host.slice(uploadBucket.name.length + 1) : host;
  return new URL(origin).host === bare;
}
