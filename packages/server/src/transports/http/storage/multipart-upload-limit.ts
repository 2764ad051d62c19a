const maxUploads = 64;
const maxCredentials = 10_000;

/** Limits how many multipart uploads each credential may start on this node. */
export class MultipartUploadLimit {
  readonly #begun = new Map<string, number>();

  /** Counts an upload that a credential starts. Returns false if the credential has started too many. */
  tryStart(secretId: string): boolean {
    const begun = (this.#begun.get(secretId) ?? 0) + 1;
    this.#begun.delete(secretId);
    this.#begun.set(secretId, begun);
    // Evict the least recently used credential.
    if (this.#begun.size > maxCredentials) this.#begun.delete(this.#begun.keys().next().value!);
    return begun <= maxUploads;
  }
}
