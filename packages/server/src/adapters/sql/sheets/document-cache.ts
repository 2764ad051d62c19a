import type { DocumentRole, StoredDocument } from '../../../ports/sheet-store.ts';
import type { Database } from '../database.ts';

interface DocumentWithRole {
  document: StoredDocument;
  role: DocumentRole | undefined;
}

/**
 * A document with a user's role in it. The role is always current. The document's own data, such as its title, may be
 * outdated if `isCurrent` is false.
 */
export type CachedAccess = DocumentWithRole & { isCurrent: boolean };

const maxEntries = 5000;

/**
 * Caches documents and the roles of users in them. Entries are invalidated when this or another process changes them.
 *
 * `find` uses the cache only if the database can report the writes of other processes without a query. Roles are cached
 * only while this process would be informed if another process revoked access.
 */
export class DocumentCache {
  readonly #db: Pick<Database, 'othersVersion' | 'accessVersion'>;
  readonly #documents = new Map<string, { document: StoredDocument; roles: Map<string, DocumentRole | undefined> }>();
  #version: number | undefined;
  /**
   * Number of changes of documents so far. A row is not cached if this number changed while the row was being read,
   * because the row may be outdated.
   */
  #changes = 0;

  constructor(db: Pick<Database, 'othersVersion' | 'accessVersion'>) {
    this.#db = db;
  }

  /**
   * Returns the current document and the user's role, from the cache if possible and otherwise from `load`. The role is
   * undefined if the user has no access. Returns undefined if the document does not exist.
   */
  async find(
    id: string,
    userId: string,
    load: () => Promise<DocumentWithRole | undefined>,
  ): Promise<DocumentWithRole | undefined> {
    const known = this.#db.othersVersion() === undefined ? undefined : this.#cached(id, userId);
    return known ?? this.#load(id, userId, load);
  }

  /** Returns the user's current role. The document itself may be outdated (see `isCurrent`). */
  async access(
    id: string,
    userId: string,
    load: () => Promise<DocumentWithRole | undefined>,
  ): Promise<CachedAccess | undefined> {
    const known = this.#cached(id, userId);
    if (known) {
      return { document: known.document, role: known.role, isCurrent: this.#db.othersVersion() !== undefined };
    }
    const found = await this.#load(id, userId, load);
    return found && { ...found, isCurrent: true };
  }

  #cached(id: string, userId: string): DocumentWithRole | undefined {
    const version = this.#db.accessVersion();
    if (version === undefined) return undefined;
    this.#syncVersion(version);
    const known = this.#documents.get(id);
    return known?.roles.has(userId) ? { document: { ...known.document }, role: known.roles.get(userId) } : undefined;
  }

  #syncVersion(version: number): void {
    if (version === this.#version) return;
    this.#documents.clear();
    this.#changes++;
    this.#version = version;
  }

  async #load(
    id: string,
    userId: string,
    load: () => Promise<DocumentWithRole | undefined>,
  ): Promise<DocumentWithRole | undefined> {
    const version = this.#db.accessVersion();
    if (version === undefined) return load();
    this.#syncVersion(version);
    const changes = this.#changes;
    const found = await load();
    if (found && changes === this.#changes && this.#db.accessVersion() === version) this.#store(id, userId, found);
    return found;
  }

  #store(id: string, userId: string, { document, role }: DocumentWithRole): void {
    let known = this.#documents.get(id);
    if (!known) {
      if (this.#documents.size >= maxEntries) this.#documents.clear();
      known = { document: { ...document }, roles: new Map() };
      this.#documents.set(id, known);
    }
    if (known.roles.size >= maxEntries) known.roles.clear();
    known.roles.set(userId, role);
  }

  appended(id: string, version: number, at: number): void {
    this.#changes++;
    const known = this.#documents.get(id);
    if (!known || known.document.version >= version) return;
    known.document.version = version;
    known.document.modifiedAt = at;
  }

  invalidateAll(): void {
    this.#changes++;
    this.#documents.clear();
  }

  invalidate(id: string): void {
    this.#changes++;
    this.#documents.delete(id);
  }
}
