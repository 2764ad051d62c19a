const maxUploads = 64;
const maxCredentials = 10_000;

/**
 * Limits how many S3 multipart uploads may be started with each upload credential. The counts exist only in the memory
 * of this server process.
 */
export class MultipartUploadLimit {
  readonly #begun = new Map<string, number>();

  /** Counts an upload that is about to be started with the credential. Returns false if it exceeds the maximum. */
  tryStart(secretId: string): boolean {
    const begun = (this.#begun.get(secretId) ?? 0) + 1;
    this.#begun.delete(secretId);
    this.#begun.set(secretId, begun);
    // Evict the least recently used upload credential.
    if (this.#begun.size > maxCredentials) this.#begun.delete(this.#begun.keys().next().value!);
    return begun <= maxUploads;
  }
}
