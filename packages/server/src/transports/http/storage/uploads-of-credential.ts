const maxUploads = 64;
const maxCredentials = 10_000;

/** How many uploads in parts each credential has begun here: a client that begins one after the other is stopped. */
export class UploadsOfCredential {
  readonly #begun = new Map<string, number>();

  /** False when there were too many. */
  begin(secretId: string): boolean {
    const begun = (this.#begun.get(secretId) ?? 0) + 1;
    this.#begun.delete(secretId);
    this.#begun.set(secretId, begun);
    // The one that was quiet the longest is forgotten first.
    if (this.#begun.size > maxCredentials) this.#begun.delete(this.#begun.keys().next().value!);
    return begun <= maxUploads;
  }
}
