import { sheaf } from '../../lib/api-client.ts';

/**
 * Looks up the display names of the authors of changes to a spreadsheet document: members of the document by user id,
 * the user's own agents by API key id.
 */
export class AuthorNames {
  readonly #me: string;
  readonly #members: Map<string, string>;
  readonly #keys = new Map<string, string>();
  readonly #fileId: string;
  #asking: Promise<void> | undefined;

  constructor(fileId: string, me: string, members: readonly { user_id: string; name: string }[]) {
    this.#fileId = fileId;
    this.#me = me;
    this.#members = new Map(members.map((one) => [one.user_id, one.name]));
    if (me !== '') void this.#readKeys();
  }

  nameOf(userId: string, keyId: string): string {
    const key = this.#keys.get(keyId);
    if (key !== undefined) return key;
    if (userId === this.#me && keyId !== '') void this.#readKeys();
    return this.#members.get(userId) ?? '';
  }

  /**
   * Returns the author's name. Fetches the document's members first if the name is unknown. Returns an empty string if
   * it is still unknown.
   */
  async fetchName(userId: string, keyId: string): Promise<string> {
    if (!this.#keys.has(keyId) && !this.#members.has(userId))
      await sheaf.manage.query_file_info({ file_id: this.#fileId }).then(
        ({ members }) => members.forEach((one) => this.#members.set(one.user_id, one.name)),
        (error: unknown) => console.info('names of members', error),
      );
    return this.nameOf(userId, keyId);
  }

  /** Loads the names of the user's own API keys. Names of other users' keys are not accessible. */
  #readKeys(): Promise<void> {
    this.#asking ??= sheaf.account
      .list_keys({})
      .then(({ keys }) => {
        for (const { key_id: id, name } of keys) this.#keys.set(id, name);
      })
      .catch((error: unknown) => console.info('names of keys', error))
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
