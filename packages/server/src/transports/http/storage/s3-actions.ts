import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { App } from '../../../app.ts';
import { NoSuchUpload, SizeMismatch, type BlobInfo } from '../../../ports/blob-store.ts';
import { quotaErrorMessage } from '../../../kernel/quota-message.ts';
import { uploadPartsPrefix, QuotaExceeded } from '../../../ports/blob-accounting.ts';
import { uploadBucket } from '../../../ports/upload-credentials.ts';
import type { AuthorizedUpload } from './s3-authorization.ts';
import { decodeAwsChunked } from './aws-chunked.ts';
import { verifyBody, verifiedChecksums, type BodyClaims } from './verify-body.ts';
import { MultipartChecksum } from './multipart-checksum.ts';
import { maxListBytes, readPartList, partListTooLong, type ListedPart } from './multipart-part-list.ts';
import { accessDenied, badRequest, S3EndpointError, toXml, xmlHead, type Xml } from './s3-error.ts';
import { header, queryValue, type S3Request } from './s3-request.ts';
import type { MultipartUploadLimit } from './multipart-upload-limit.ts';

export interface S3Call {
  app: App;
  request: S3Request;
  raw: IncomingMessage;
  authorized: AuthorizedUpload;
  uploadLimit: MultipartUploadLimit;
}

export interface S3Result {
  status: number;
  headers?: Record<string, string>;
  xml?: string;
}

const maxListed = 1000;

/**
 * Matches the names of the query parameters that requests may contain. A request with any other parameter is refused,
 * because the parameter belongs to an unsupported S3 feature (ACLs, tags).
 */
const supportedQuery = new RegExp(
  '^(q-.*|x-amz-.*|x-cos-security-token|x-id|uploads|uploadid|partnumber|max-parts|part-number-marker|m' +
    'ax-uploads|encoding-type|prefix|delimiter|key-marker|upload-id-marker)$',
  'i',
);

export async function runS3Action(call: S3Call): Promise<S3Result> {
  const { request, authorized } = call;
  const { method, query } = request;
  const uploadId = queryValue(request, 'uploadId');
  const isUploads = queryValue(request, 'uploads') !== undefined;
  if (query.some(([name]) => !supportedQuery.test(name)))
    throw accessDenied('the credential only allows uploading the bytes of one object');
  if (method === 'GET' && isUploads && request.key === '') return listUploads(call);
  if (request.key !== authorized.grant.blobKey)
    throw accessDenied(`the credential is only valid for the key ${authorized.grant.blobKey}`);
  if (header(request, 'x-amz-copy-source') !== undefined || header(request, 'x-cos-copy-source') !== undefined)
    throw accessDenied('the credential allows uploading, not copying');
  if (method === 'PUT' && uploadId !== undefined) return putPart(call, uploadId);
  if (method === 'PUT' && !isUploads) return putObject(call);
  if (method === 'POST' && isUploads) return startUpload(call);
  if (method === 'POST' && uploadId !== undefined) return completeUpload(call, uploadId);
  if (method === 'DELETE' && uploadId !== undefined) return abortUpload(call, uploadId);
  if (method === 'GET' && uploadId !== undefined) return listParts(call, uploadId);
  throw accessDenied('the credential only allows PUT and multipart uploads');
}

async function putObject(call: S3Call): Promise<S3Result> {
  const { app, authorized } = call;
  const { blobKey, size } = authorized.grant;
  const length = declaredLength(call.request, authorized);
  if (length !== size) throw wrongSize(size, length);
  await refuseCompletedUpload(call);
  await countBytes(call, blobKey, size);
  const { stored, checksums } = await storeBody(call, size, (body) =>
    app.services.blobs.put(blobKey, body, size),
  ).catch(async (error: unknown) => {
    if (!(await app.services.blobs.head(blobKey))) await app.services.blobAccounting.release(blobKey);
    throw error;
  });
  if (Object.keys(checksums).length > 0) checksums['x-amz-checksum-type'] = 'FULL_OBJECT';
  return { status: 200, headers: { etag: quoted(stored.etag), ...checksums } };
}

async function startUpload({ app, authorized, uploadLimit }: S3Call): Promise<S3Result> {
  await refuseCompletedUpload({ app, authorized });
  if (!uploadLimit.tryStart(authorized.secretId))
    throw new S3EndpointError(
      503,
      'SlowDown',
      'too many uploads were started with this credential; complete or abort them, or call create_media for another one',
    );
  const uploadId = await app.services.blobs.startUpload(authorized.grant.blobKey);
  return xml('InitiateMultipartUploadResult', {
    Bucket: uploadBucket.name,
    Key: authorized.grant.blobKey,
    UploadId: uploadId,
  });
}

async function putPart(call: S3Call, uploadId: string): Promise<S3Result> {
  const { app, authorized, request } = call;
  const { blobKey, size } = authorized.grant;
  const number = Number(queryValue(request, 'partNumber'));
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw badRequest('InvalidArgument', 'partNumber must be a whole number from 1 to 10000');
  const length = declaredLength(request, authorized);
  const held = await app.services.blobs.listParts(blobKey, uploadId);
  if (!held) throw noSuchUpload(uploadId);
  const others = held.reduce((sum, part) => (part.part === number ? sum : sum + part.size), 0);
  if (others + length > size) throw wrongSize(size, others + length);
  await refuseCompletedUpload(call);
  const count = `${uploadPartsPrefix(blobKey, uploadId)}${number}`;
  await countBytes(call, count, length);
  const { stored, checksums } = await storeBody(call, length, (body) =>
    app.services.blobs.putPart(blobKey, uploadId, number, body, length),
  ).catch(async (error: unknown) => {
    // The part could not be stored. If an earlier upload of the same part number is still stored, charge its size
    // instead.
    const before = (await app.services.blobs.listParts(blobKey, uploadId))?.find((part) => part.part === number);
    if (before) await countBytes(call, count, before.size);
    else await app.services.blobAccounting.release(count);
    throw error;
  });
  return { status: 200, headers: { etag: quoted(stored.etag), ...checksums } };
}

async function completeUpload(call: S3Call, uploadId: string): Promise<S3Result> {
  const { app, authorized } = call;
  const { blobs } = app.services;
  const { blobKey, size } = authorized.grant;
  const held = await blobs.listParts(blobKey, uploadId);
  // Refuse an unknown upload id before reading the body. If the object exists, the upload may already have been
  // completed, and the request may be a repetition.
  if (!held && !(await blobs.head(blobKey))) throw noSuchUpload(uploadId);
  const parts = await readParts(call);
  const checksum = MultipartChecksum.of(call.request, parts);
  if (!held) return repeatCompletion(app, blobKey, uploadId, parts);
  const sizes = new Map(held.map((part) => [`${part.part} ${part.etag}`, part.size]));
  if (parts.some((part, index) => index > 0 && part.part <= parts[index - 1]!.part))
    throw badRequest('InvalidPartOrder', 'the parts must be listed in ascending order of part number, each once');
  const missing = parts.find((part) => !sizes.has(`${part.part} ${part.etag}`));
  if (missing)
    throw badRequest('InvalidPart', `part ${missing.part} was not uploaded, or its ETag is not ${missing.etag}`);
  const total = parts.reduce((sum, part) => sum + sizes.get(`${part.part} ${part.etag}`)!, 0);
  if (total !== size) {
    await blobs.abortUpload(blobKey, uploadId);
    await app.services.blobAccounting.releasePrefix(uploadPartsPrefix(blobKey, uploadId));
    throw wrongSize(size, total);
  }
  await refuseCompletedUpload(call);
  // Charge the object to the quota instead of its parts. It fits, because the parts were charged with at least this
  // size. Charge before completing, so that a stored object is always charged. If completing fails, the charge ends
  // when the upload expires.
  await countBytes(call, blobKey, size, uploadPartsPrefix(blobKey, uploadId));
  const stored = await blobs.completeUpload(blobKey, uploadId, parts, checksum);
  if (!stored) return repeatCompletion(app, blobKey, uploadId, parts);
  return completedResult(app, stored, checksum?.answer());
}

async function readParts(call: S3Call): Promise<ListedPart[]> {
  const { request, authorized } = call;
  if (Number(header(request, 'content-length') ?? 0) > maxListBytes)
    throw partListTooLong(`over ${maxListBytes} bytes`);
  const claims: BodyClaims = { request, payload: authorized.payload, trailers: new Map(), hasChecksums: false };
  return readPartList(verifyBody(decodedBody(call, new Map()), claims));
}

/**
 * Answers a repeated request to complete a multipart upload like the first one. Throws if the stored object does not
 * consist of the listed parts. The checksum is omitted from the answer, because it is not stored.
 */
async function repeatCompletion(
  app: App,
  blobKey: string,
  uploadId: string,
  parts: { etag: string }[],
): Promise<S3Result> {
  const stored = await app.services.blobs.head(blobKey);
  const hash = createHash('md5');
  for (const part of parts) hash.update(Buffer.from(part.etag, 'hex'));
  if (stored?.etag !== `${hash.digest('hex')}-${parts.length}`) throw noSuchUpload(uploadId);
  return completedResult(app, stored);
}

function completedResult(app: App, stored: BlobInfo, checksum: Record<string, string> = {}): S3Result {
  return xml('CompleteMultipartUploadResult', {
    Location: `${app.publicUrl.url}/${stored.key}`,
    Bucket: uploadBucket.name,
    Key: stored.key,
    ETag: quoted(stored.etag),
    ...checksum,
  });
}

async function abortUpload({ app, authorized }: S3Call, uploadId: string): Promise<S3Result> {
  const { blobKey } = authorized.grant;
  if (!(await app.services.blobs.listParts(blobKey, uploadId))) throw noSuchUpload(uploadId);
  await app.services.blobs.abortUpload(blobKey, uploadId);
  await app.services.blobAccounting.releasePrefix(uploadPartsPrefix(blobKey, uploadId));
  return { status: 204 };
}

async function listParts({ app, authorized, request }: S3Call, uploadId: string): Promise<S3Result> {
  const { blobKey } = authorized.grant;
  const held = await app.services.blobs.listParts(blobKey, uploadId);
  if (!held) throw noSuchUpload(uploadId);
  const after = Number(queryValue(request, 'part-number-marker') ?? 0) || 0;
  const limit = Math.min(maxListed, Math.max(1, Number(queryValue(request, 'max-parts') ?? maxListed) || maxListed));
  const rest = held.filter((part) => part.part > after);
  const page = rest.slice(0, limit);
  const owner = { ID: authorized.secretId, DisplayName: authorized.secretId };
  return xml('ListPartsResult', {
    Bucket: uploadBucket.name,
    Key: blobKey,
    UploadId: uploadId,
    Initiator: owner,
    Owner: owner,
    StorageClass: 'STANDARD',
    PartNumberMarker: after,
    NextPartNumberMarker: page.at(-1)?.part ?? after,
    MaxParts: limit,
    IsTruncated: rest.length > page.length,
    Part: page.map((part) => ({
      PartNumber: part.part,
      LastModified: new Date(app.services.clock.now()).toISOString(),
      ETag: quoted(part.etag),
      Size: part.size,
    })),
  });
}

/**
 * Lists the unfinished multipart uploads of the object for which the credential was issued. Clients use the list to
 * resume an upload.
 */
async function listUploads({ app, authorized, request }: S3Call): Promise<S3Result> {
  const { blobKey } = authorized.grant;
  if (queryValue(request, 'prefix') !== blobKey)
    throw accessDenied(`the credential is only valid for the key ${blobKey}`);
  const found: Xml[] = [];
  for await (const upload of app.services.blobs.listUploads()) {
    if (upload.key !== blobKey) continue;
    found.push({
      Key: blobKey,
      UploadId: upload.uploadId,
      StorageClass: 'STANDARD',
      Initiated: new Date(upload.startedAt).toISOString(),
    });
    if (found.length === maxListed) break;
  }
  return xml('ListMultipartUploadsResult', {
    Bucket: uploadBucket.name,
    Prefix: blobKey,
    KeyMarker: '',
    UploadIdMarker: '',
    MaxUploads: maxListed,
    IsTruncated: false,
    Upload: found,
  });
}

/**
 * Charges bytes, before they are stored, to the quota of the user to whom the credential was issued. `key` identifies
 * the charge. If `madeOf` is given, ends the charges whose keys begin with it: those of the parts from which the object
 * is assembled.
 */
async function countBytes({ app, authorized }: S3Call, key: string, bytes: number, madeOf?: string): Promise<void> {
  const quotaBytes = app.config.SHEAF_QUOTA_BYTES;
  try {
    await app.services.blobAccounting.charge(authorized.grant.userId, key, bytes, {
      field: 'content-length',
      quotaBytes,
      ...(madeOf === undefined ? {} : { assembledFrom: madeOf }),
    });
  } catch (error) {
    if (error instanceof QuotaExceeded) throw new S3EndpointError(507, 'QuotaExceeded', quotaErrorMessage(error));
    throw error;
  }
}

/** Streams the body into the blob store. Verifies the client's checksums before the store saves the object. */
async function storeBody<Stored>(
  call: S3Call,
  size: number,
  store: (body: Readable) => Promise<Stored>,
): Promise<{ stored: Stored; checksums: Record<string, string> }> {
  const trailers = new Map<string, string>();
  const claims: BodyClaims = { request: call.request, payload: call.authorized.payload, trailers };
  const body = verifyBody(decodedBody(call, trailers), claims);
  const guarded = async function* (): AsyncGenerator<Uint8Array> {
    yield* body;
    // Check again at the end of the body, because a knowledge base item may have been created from this upload
    // meanwhile, and the item's bytes must not change.
    await refuseCompletedUpload(call);
  };
  try {
    const stored = await store(Readable.from(guarded(), { objectMode: false }));
    return { stored, checksums: verifiedChecksums(claims) };
  } catch (error) {
    if (error instanceof SizeMismatch) throw wrongSize(size, error.got);
    if (error instanceof NoSuchUpload) throw new S3EndpointError(404, 'NoSuchUpload', error.message);
    throw error;
  }
}

function decodedBody({ raw, authorized }: S3Call, trailers: Map<string, string>): AsyncIterable<Uint8Array> {
  const { payload, signer } = authorized;
  if (!payload.startsWith('STREAMING-')) return raw;
  if (payload === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return decodeAwsChunked(raw, undefined, trailers);
  if (payload === 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' || payload === 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER')
    return decodeAwsChunked(raw, signer, trailers);
  throw new S3EndpointError(501, 'NotImplemented', `the payload type ${payload} is not supported`);
}

/**
 * Throws if a knowledge base item was already created from the upload, or if the upload has expired. The signature
 * check does not find this, because the credential may still be valid in both cases.
 */
async function refuseCompletedUpload({ app, authorized }: Pick<S3Call, 'app' | 'authorized'>): Promise<void> {
  const upload = await app.services.uploads.upload(authorized.grant.mediaId);
  if (upload?.blobKey !== authorized.grant.blobKey)
    throw accessDenied('the upload is complete; its file was already added');
}

function declaredLength(request: S3Request, { payload }: AuthorizedUpload): number {
  const name = payload.startsWith('STREAMING-') ? 'x-amz-decoded-content-length' : 'content-length';
  const value = header(request, name);
  if (value === undefined || !/^\d{1,15}$/.test(value))
    throw new S3EndpointError(411, 'MissingContentLength', `the request must state the length of its body (${name})`);
  return Number(value);
}

function wrongSize(declared: number, got: number): S3EndpointError {
  const message = `${declared} bytes were declared to create_media, this would be ${got}`;
  return badRequest(got > declared ? 'EntityTooLarge' : 'EntityTooSmall', message);
}

function noSuchUpload(uploadId: string): S3EndpointError {
  return new S3EndpointError(
    404,
    'NoSuchUpload',
    `there is no upload ${uploadId.slice(0, 100)}; it was completed or aborted, or never existed`,
  );
}

function xml(name: string, value: Xml): S3Result {
  return { status: 200, xml: xmlHead + toXml(name, value) };
}

function quoted(etag: string): string {
  return `"${etag}"`;
}
