import type { Readable } from 'node:stream';

export interface BlobInfo {
  key: string;
  size: number;
  /** Hex MD5 of a simple upload. For a multipart upload, the S3 form `<md5 of md5s>-<parts>`. */
  etag: string;
}

export interface UnfinishedUpload {
  key: string;
  uploadId: string;
  /** Start time of the upload in Unix milliseconds. */
  startedAt: number;
}

/** Thrown by `put` and `putPart` when the stream does not have exactly `size` bytes. Nothing is stored. */
export class SizeMismatch extends Error {
  readonly expected: number;
  readonly got: number;
  constructor(expected: number, got: number) {
    super(`expected ${expected} bytes, got ${got}`);
    this.name = 'SizeMismatch';
    this.expected = expected;
    this.got = got;
  }
}

/** Thrown by `putPart` when the upload was never started, is completed or was aborted. */
export class NoSuchUpload extends Error {
  constructor(uploadId: string) {
    super(`there is no upload ${uploadId}`);
    this.name = 'NoSuchUpload';
  }
}

/**
 * Thrown when the bytes of a stored object are damaged. When a whole object is read, changed bytes are detected only at
 * the end of the `get` stream.
 */
export class DamagedBlob extends Error {
  readonly key: string;
  constructor(key: string, detail: string) {
    super(`the stored object ${key} is damaged: ${detail}`);
    this.name = 'DamagedBlob';
    this.key = key;
  }
}

/**
 * Receives the bytes of a multipart upload while its parts are assembled, for example to verify a checksum. If it
 * throws, no object is created and the upload stays open.
 */
export interface CompletionObserver {
  /** Called with each chunk of the object's bytes, in the order of the parts. Empty parts are skipped. */
  chunk(part: number, bytes: Uint8Array): void;
  /** Called after the last byte of the object, before the object is stored. */
  end(): void;
}

/**
 * Stores objects by key. `put` and `completeUpload` are atomic and durable when they resolve. Memory use does not
 * depend on the object size. A missing key gives undefined, not an error. Keys are slash-separated segments of
 * [A-Za-z0-9._-], and clients never choose them.
 */
export interface BlobStore {
  /** Rejects when the object store is unreachable or denies access. */
  ping(): Promise<void>;
  /**
   * Stores an object. If `after` is given, the object becomes visible only after that promise resolves; if the promise
   * rejects, nothing is stored.
   */
  put(key: string, body: Readable | Uint8Array, size: number, after?: Promise<unknown>): Promise<BlobInfo>;
  head(key: string): Promise<BlobInfo | undefined>;
  /**
   * Reads the whole object or the bytes from `start` to `end` (inclusive). A range beyond the object's end is
   * shortened. Returns undefined if there is no such object.
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  delete(key: string): Promise<void>;
  /**
   * Lists the objects under a prefix in key order, after the key `after`. Etags of multipart objects may have the
   * storage's own format.
   */
  list(prefix: string, options?: { after?: string; limit?: number }): Promise<BlobInfo[]>;

  startUpload(key: string): Promise<string>;
  putPart(
    key: string,
    uploadId: string,
    part: number,
    body: Readable | Uint8Array,
    size: number,
  ): Promise<{ etag: string }>;
  listParts(key: string, uploadId: string): Promise<{ part: number; size: number; etag: string }[] | undefined>;
  /**
   * Assembles the object from its parts, which must be in ascending order and have the etags that `putPart` returned.
   * Returns undefined if the upload or a part is unknown.
   */
  completeUpload(
    key: string,
    uploadId: string,
    parts: { part: number; etag: string }[],
    watch?: CompletionObserver,
  ): Promise<BlobInfo | undefined>;
  abortUpload(key: string, uploadId: string): Promise<void>;
  /** Lists multipart uploads that are neither completed nor aborted. */
  listUploads(): AsyncIterable<UnfinishedUpload>;
}
