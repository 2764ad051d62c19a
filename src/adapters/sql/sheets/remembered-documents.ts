import type { DocumentRole, StoredDocument } from '../../../ports/sheet-store.ts';
import type { Database } from '../database.ts';

interface Found {
  document: StoredDocument;
  role: DocumentRole | undefined;
}

const most = 5000;

/**
 * Documents and who may do what with them, kept until they may have changed: by this process, which says so, or by another
 * one, which the database tells. Where it cannot tell at once, nothing is kept.
 */
export class RememberedDocuments {
  readonly #db: Pick<Database, 'othersVersion'>;
  readonly #documents = new Map<string, { document: StoredDocument; roles: Map<string, DocumentRole | undefined> }>();
  #version: number | undefined;
  /** Grows with every change: what was read before one and comes after it is not kept. */
  #changes = 0;

  constructor(db: Pick<Database, 'othersVersion'>) {
    this.#db = db;
  }

  async find(id: string, userId: string, load: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const version = this.#db.othersVersion();
    if (version === undefined) return load();
    if (version !== this.#version) {
      this.#documents.clear();
      this.#changes++;
      this.#version = version;
    }
    const known = this.#documents.get(id);
    if (known?.roles.has(userId)) return { document: { ...known.document }, role: known.roles.get(userId) };
    const changes = this.#changes;
    const found = await load();
    if (found && changes === this.#changes) this.#keep(id, userId, found);
    return found;
  }

  #keep(id: string, userId: string, { document, role }: Found): void {
    let known = this.#documents.get(id);
    if (!known) {
      if (this.#documents.size >= most) this.#documents.clear();
      known = { document: { ...document }, roles: new Map() };
      this.#documents.set(id, known);
    }
    if (known.roles.size >= most) known.roles.clear();
    known.roles.set(userId, role);
  }

  appended(id: string, version: number, at: number): void {
    this.#changes++;
    const known = this.#documents.get(id);
    if (!known || known.document.version >= version) return;
    known.document.version = version;
    known.document.modifiedAt = at;
  }

  forget(id: string): void {
    this.#changes++;
    this.#documents.delete(id);
  }
}
