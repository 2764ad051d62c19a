const maxUploads = 64;
const maxCredentials = 10_000;

/** Limits the multipart uploads per credential on this node, to stop a client that starts too many. */
export class CredentialUploadLimit {
  readonly #begun = new Map<string, number>();

  /** Charges an upload to the credential. Returns false if there are too many. */
  countUpload(secretId: string): boolean {
    const begun = (this.#begun.get(secretId) ?? 0) + 1;
    this.#begun.delete(secretId);
    this.#begun.set(secretId, begun);
    // Evict the least recently used credential.
    if (this.#begun.size > maxCredentials) this.#begun.delete(this.#begun.keys().next().value!);
    return begun <= maxUploads;
  }
}
