import { sheaf } from '../lib/client.ts';

/** Names of those who write: members of the document by user, agents by the key they use. */
export class People {
  readonly #me: string;
  readonly #members: Map<string, string>;
  readonly #keys = new Map<string, string>();
  #asking: Promise<void> | undefined;

  constructor(me: string, members: readonly { user_id: string; name: string }[]) {
    this.#me = me;
    this.#members = new Map(members.map((one) => [one.user_id, one.name]));
    void this.#readKeys();
  }

  nameOf(userId: string, keyId: string): string {
    const key = this.#keys.get(keyId);
    if (key !== undefined) return key;
    if (userId === this.#me && keyId !== '') void this.#readKeys();
    return this.#members.get(userId) ?? '';
  }

  /** Only one's own keys have names that can be asked for. */
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
