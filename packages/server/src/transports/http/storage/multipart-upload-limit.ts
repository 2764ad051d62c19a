const maxUploads = 64;
const maxCredentials = 10_000;

/** Limits the multipart uploads per credential on this node, to stop a client that starts too many. */
export class MultipartUploadLimit {
  readonly #begun = new Map<string, number>();

  /** Counts an upload that a credential starts. Returns false if it has started too many. */
  tryStart(secretId: string): boolean {
    const begun = (this.#begun.get(secretId) ?? 0) + 1;
    this.#begun.delete(secretId);
    this.#begun.set(secretId, begun);
    // Evict the least recently used credential.
    if (this.#begun.size > maxCredentials) this.#begun.delete(this.#begun.keys().next().value!);
    return begun <= maxUploads;
  }
}
