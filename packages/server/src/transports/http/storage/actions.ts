import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { App } from '../../../app.ts';
import { NoSuchUpload, WrongSize, type BlobInfo } from '../../../ports/blob-store.ts';
import { noRoomFor } from '../../../operation/no-room.ts';
import { partsOf, StorageFull } from '../../../ports/kept-objects.ts';
import { bucket } from '../../../ports/uploads.ts';
import type { Authorized } from './authorize.ts';
import { awsChunked } from './aws-chunked.ts';
import { checked, comparedChecksums, type Claims } from './body-checks.ts';
import { ObjectChecksum } from './object-checksum.ts';
import { maxListBytes, readPartList, tooLong, type ListedPart } from './part-list.ts';
import { accessDenied, badRequest, StorageError, toXml, xmlHead, type Xml } from './storage-error.ts';
import { header, queryValue, type StorageRequest } from './storage-request.ts';
import type { UploadsOfCredential } from './uploads-of-credential.ts';

export interface Call {
  app: App;
  request: StorageRequest;
  raw: IncomingMessage;
  authorized: Authorized;
  begun: UploadsOfCredential;
}

export interface Result {
  status: number;
  headers?: Record<string, string>;
  xml?: string;
}

const listsAtOnce = 1000;

/** Query parameters of supported requests; others belong to S3 features that are not supported (ACLs, tags). */
const known = new RegExp(
  '^(q-.*|x-amz-.*|x-cos-security-token|x-id|uploads|uploadid|partnumber|max-parts|part-number-marker|m' +
    'ax-uploads|encoding-type|prefix|delimiter|key-marker|upload-id-marker)$',
  'i',
);

/** Executes an authorized request. */
export async function act(call: Call): Promise<Result> {
  const { request, authorized } = call;
  const { method, query } = request;
  const uploadId = queryValue(request, 'uploadId');
  const isUploads = queryValue(request, 'uploads') !== undefined;
  if (query.some(([name]) => !known.test(name)))
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

async function putObject(call: Call): Promise<Result> {
  const { app, authorized } = call;
  const { blobKey, size } = authorized.grant;
  const length = declaredLength(call.request, authorized);
  if (length !== size) throw wrongSize(size, length);
  await refuseUsedUp(call);
  await counting(call, blobKey, size);
  const { stored, checksums } = await keep(call, size, (body) => app.services.blobs.put(blobKey, body, size)).catch(
    async (error: unknown) => {
      if (!(await app.services.blobs.head(blobKey))) await app.services.kept.release(blobKey);
      throw error;
    },
  );
  if (Object.keys(checksums).length > 0) checksums['x-amz-checksum-type'] = 'FULL_OBJECT';
  return { status: 200, headers: { etag: quoted(stored.etag), ...checksums } };
}

async function startUpload({ app, authorized, begun }: Call): Promise<Result> {
  await refuseUsedUp({ app, authorized });
  if (!begun.begin(authorized.secretId))
    throw new StorageError(
      503,
      'SlowDown',
      'too many uploads were started with this credential; complete or abort them, or call create_media for another one',
    );
  const uploadId = await app.services.blobs.startUpload(authorized.grant.blobKey);
  return xml('InitiateMultipartUploadResult', {
    Bucket: bucket.name,
    Key: authorized.grant.blobKey,
    UploadId: uploadId,
  });
}

async function putPart(call: Call, uploadId: string): Promise<Result> {
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
  await refuseUsedUp(call);
  const count = `${partsOf(blobKey, uploadId)}${number}`;
  await counting(call, count, length);
  const { stored, checksums } = await keep(call, length, (body) =>
    app.services.blobs.putPart(blobKey, uploadId, number, body, length),
  ).catch(async (error: unknown) => {
    // An earlier upload of this part number is still stored and must be counted.
    const before = (await app.services.blobs.listParts(blobKey, uploadId))?.find((part) => part.part === number);
    if (before) await counting(call, count, before.size);
    else await app.services.kept.release(count);
    throw error;
  });
  return { status: 200, headers: { etag: quoted(stored.etag), ...checksums } };
}

async function completeUpload(call: Call, uploadId: string): Promise<Result> {
  const { app, authorized } = call;
  const { blobs } = app.services;
  const { blobKey, size } = authorized.grant;
  const held = await blobs.listParts(blobKey, uploadId);
  // Refuse an unknown upload before reading the body.
  if (!held && !(await blobs.head(blobKey))) throw noSuchUpload(uploadId);
  const parts = await partList(call);
  const checksum = ObjectChecksum.of(call.request, parts);
  if (!held) return completedBefore(app, blobKey, uploadId, parts);
  const sizes = new Map(held.map((part) => [`${part.part} ${part.etag}`, part.size]));
  if (parts.some((part, index) => index > 0 && part.part <= parts[index - 1]!.part))
    throw badRequest('InvalidPartOrder', 'the parts must be listed in ascending order of part number, each once');
  const missing = parts.find((part) => !sizes.has(`${part.part} ${part.etag}`));
  if (missing)
    throw badRequest('InvalidPart', `part ${missing.part} was not uploaded, or its ETag is not ${missing.etag}`);
  const total = parts.reduce((sum, part) => sum + sizes.get(`${part.part} ${part.etag}`)!, 0);
  if (total !== size) {
    await blobs.abortUpload(blobKey, uploadId);
    await app.services.kept.releaseUnder(partsOf(blobKey, uploadId));
    throw wrongSize(size, total);
  }
  await refuseUsedUp(call);
  // The parts were counted with at least this size, so the object fits the quota. Count before completing: if the
  // process stops here, the upload expires.
  await counting(call, blobKey, size, partsOf(blobKey, uploadId));
  const stored = await blobs.completeUpload(blobKey, uploadId, parts, checksum);
  if (!stored) return completedBefore(app, blobKey, uploadId, parts);
  return completed(app, stored, checksum?.answer());
}

async function partList(call: Call): Promise<ListedPart[]> {
  const { request, authorized } = call;
  if (Number(header(request, 'content-length') ?? 0) > maxListBytes) throw tooLong(`over ${maxListBytes} bytes`);
  const claims: Claims = { request, payload: authorized.payload, trailers: new Map(), hasChecksums: false };
  return readPartList(checked(plainBody(call, new Map()), claims));
}

/** Answers a repeated completion like the first one, without the checksum, which is not stored. */
async function completedBefore(
  app: App,
  blobKey: string,
  uploadId: string,
  parts: { etag: string }[],
): Promise<Result> {
  const stored = await app.services.blobs.head(blobKey);
  const hash = createHash('md5');
  for (const part of parts) hash.update(Buffer.from(part.etag, 'hex'));
  if (stored?.etag !== `${hash.digest('hex')}-${parts.length}`) throw noSuchUpload(uploadId);
  return completed(app, stored);
}

function completed(app: App, stored: BlobInfo, checksum: Record<string, string> = {}): Result {
  return xml('CompleteMultipartUploadResult', {
    Location: `${app.address.url}/${stored.key}`,
    Bucket: bucket.name,
    Key: stored.key,
    ETag: quoted(stored.etag),
    ...checksum,
  });
}

async function abortUpload({ app, authorized }: Call, uploadId: string): Promise<Result> {
  const { blobKey } = authorized.grant;
  if (!(await app.services.blobs.listParts(blobKey, uploadId))) throw noSuchUpload(uploadId);
  await app.services.blobs.abortUpload(blobKey, uploadId);
  await app.services.kept.releaseUnder(partsOf(blobKey, uploadId));
  return { status: 204 };
}

async function listParts({ app, authorized, request }: Call, uploadId: string): Promise<Result> {
  const { blobKey } = authorized.grant;
  const held = await app.services.blobs.listParts(blobKey, uploadId);
  if (!held) throw noSuchUpload(uploadId);
  const after = Number(queryValue(request, 'part-number-marker') ?? 0) || 0;
  const limit = Math.min(
    listsAtOnce,
    Math.max(1, Number(queryValue(request, 'max-parts') ?? listsAtOnce) || listsAtOnce),
  );
  const rest = held.filter((part) => part.part > after);
  const page = rest.slice(0, limit);
  const owner = { ID: authorized.secretId, DisplayName: authorized.secretId };
  return xml('ListPartsResult', {
    Bucket: bucket.name,
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

/** Clients list uploads to resume one. They see only those of their own key. */
async function listUploads({ app, authorized, request }: Call): Promise<Result> {
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
    if (found.length === listsAtOnce) break;
  }
  return xml('ListMultipartUploadsResult', {
    Bucket: bucket.name,
    Prefix: blobKey,
    KeyMarker: '',
    UploadIdMarker: '',
    MaxUploads: listsAtOnce,
    IsTruncated: false,
    Upload: found,
  });
}

/** Counts bytes against the uploader's quota before they are stored. */
async function counting({ app, authorized }: Call, key: string, bytes: number, madeOf?: string): Promise<void> {
  const quotaBytes = app.config.SHEAF_QUOTA_BYTES;
  try {
    await app.services.kept.keep(authorized.grant.userId, key, bytes, {
      field: 'content-length',
      quotaBytes,
      ...(madeOf === undefined ? {} : { madeOf }),
    });
  } catch (error) {
    if (error instanceof StorageFull) throw new StorageError(507, 'QuotaExceeded', noRoomFor(error));
    throw error;
  }
}

/** Streams the body into the store. The client's checksums are verified before the store commits the object. */
async function keep<Stored>(
  call: Call,
  size: number,
  store: (body: Readable) => Promise<Stored>,
): Promise<{ stored: Stored; checksums: Record<string, string> }> {
  const trailers = new Map<string, string>();
  const claims: Claims = { request: call.request, payload: call.authorized.payload, trailers };
  const body = checked(plainBody(call, trailers), claims);
  const guarded = async function* (): AsyncGenerator<Uint8Array> {
    yield* body;
    // Check again: the item may have been created meanwhile, and its bytes must not change afterwards.
    await refuseUsedUp(call);
  };
  try {
    const stored = await store(Readable.from(guarded(), { objectMode: false }));
    return { stored, checksums: comparedChecksums(claims) };
  } catch (error) {
    if (error instanceof WrongSize) throw wrongSize(size, error.got);
    if (error instanceof NoSuchUpload) throw new StorageError(404, 'NoSuchUpload', error.message);
    throw error;
  }
}

function plainBody({ raw, authorized }: Call, trailers: Map<string, string>): AsyncIterable<Uint8Array> {
  const { payload, signer } = authorized;
  if (!payload.startsWith('STREAMING-')) return raw;
  if (payload === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return awsChunked(raw, undefined, trailers);
  if (payload === 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' || payload === 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER')
    return awsChunked(raw, signer, trailers);
  throw new StorageError(501, 'NotImplemented', `the payload type ${payload} is not supported`);
}

/**
 * Refuses a credential whose item has been created or whose upload has expired; credentials live longer than uploads.
 */
async function refuseUsedUp({ app, authorized }: Pick<Call, 'app' | 'authorized'>): Promise<void> {
  const upload = await app.services.uploads.upload(authorized.grant.mediaId);
  if (upload?.blobKey !== authorized.grant.blobKey)
    throw accessDenied('the upload is complete; its file was already added');
}

function declaredLength(request: StorageRequest, { payload }: Authorized): number {
  const name = payload.startsWith('STREAMING-') ? 'x-amz-decoded-content-length' : 'content-length';
  const value = header(request, name);
  if (value === undefined || !/^\d{1,15}$/.test(value))
    throw new StorageError(411, 'MissingContentLength', `the request must state the length of its body (${name})`);
  return Number(value);
}

function wrongSize(declared: number, got: number): StorageError {
  const message = `${declared} bytes were declared to create_media, this would be ${got}`;
  return badRequest(got > declared ? 'EntityTooLarge' : 'EntityTooSmall', message);
}

function noSuchUpload(uploadId: string): StorageError {
  return new StorageError(
    404,
    'NoSuchUpload',
    `there is no upload ${uploadId.slice(0, 100)}; it was completed or aborted, or never existed`,
  );
}

function xml(name: string, value: Xml): Result {
  return { status: 200, xml: xmlHead + toXml(name, value) };
}

function quoted(etag: string): string {
  return `"${etag}"`;
}
