import type { Clock } from '../../ports/clock.ts';
import {
  LeaseLost,
  type DocumentLease,
  type DocumentLeaseManager,
  type LeaseHolder,
} from '../../ports/document-leases.ts';
import type { Database, Sql } from './database.ts';
import { sql } from './statement.ts';

/**
 * Duration in milliseconds of a lease, the right of one server node to hold a document (such as a note) in memory and
 * change it. If a node dies, other nodes may have to wait this long before they can take over its documents.
 */
export const documentLeaseMs = 10_000;

interface LeaseRow {
  node: string;
  address: string;
  token: number;
  expires_at: number;
}

/**
 * Returns the name of the database lock that guards the lease of a resource (a document). A node must hold this lock
 * while it takes the lease. The holder of the lease must hold it during every write to the resource.
 */
export function leaseLock(resource: string): string {
  return `lease:${resource}`;
}

/** Throws LeaseLost if another node has taken the lease over. The caller must hold the lock `leaseLock(resource)`. */
export async function requireLease(tx: Sql, { resource, token }: DocumentLease): Promise<void> {
  const row = await tx.get<{ token: number }>(sql`SELECT token FROM document_lease WHERE resource = ${resource}`);
  if (row?.token !== token) throw new LeaseLost(resource);
}

export class SqlDocumentLeaseManager implements DocumentLeaseManager {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #node: string;
  readonly #address: () => string;

  /** `address` returns the address at which other nodes reach this node. */
  constructor(db: Database, clock: Clock, node: string, address: () => string) {
    this.#db = db;
    this.#clock = clock;
    this.#node = node;
    this.#address = address;
  }

  acquire(resource: string): Promise<DocumentLease | LeaseHolder> {
    return this.#take(resource);
  }

  takeFrom(resource: string, from: LeaseHolder): Promise<DocumentLease | LeaseHolder> {
    return this.#take(resource, from);
  }

  #take(resource: string, from?: LeaseHolder): Promise<DocumentLease | LeaseHolder> {
    return this.#db.write(null, { lock: leaseLock(resource) }, async (tx) => {
      const now = this.#clock.now();
      const row = await tx.get<LeaseRow>(sql`SELECT node, address, token, expires_at FROM document_lease
        WHERE resource = ${resource}`);
      if (row && row.expires_at > now && row.token !== from?.token) {
        const { node, address, token: held } = row;
        if (node !== this.#node) return { node, address, token: held };
        if (from) return { resource, token: held };
      }
      const token = (row?.token ?? 0) + 1;
      const until = now + documentLeaseMs;
      await tx.execute(sql`INSERT INTO document_lease (resource, node, address, token, expires_at)
        VALUES (${resource}, ${this.#node}, ${this.#address()}, ${token}, ${until})
        ON CONFLICT (resource) DO UPDATE SET node = excluded.node, address = excluded.address, token = excluded.token,
        expires_at = excluded.expires_at`);
      return { resource, token };
    });
  }

  async holder(resource: string): Promise<LeaseHolder | undefined> {
    return this.#db.get<LeaseHolder>(sql`SELECT node, address, token FROM document_lease WHERE resource = ${resource}
      AND expires_at > ${this.#clock.now()}`);
  }

  async renew(): Promise<ReadonlySet<string>> {
    const now = this.#clock.now();
    const rows = await this.#db.write(null, { isolation: 'repeatable read' }, (tx) =>
      tx.all<{ resource: string }>(sql`UPDATE document_lease SET expires_at = ${now + documentLeaseMs}
        WHERE node = ${this.#node} AND expires_at > 0 RETURNING resource`),
    );
    return new Set(rows.map(({ resource }) => resource));
  }

  release({ resource, token }: DocumentLease): Promise<void> {
    return this.#db.write(null, { lock: leaseLock(resource) }, (tx) =>
      tx.execute(sql`UPDATE document_lease SET expires_at = 0 WHERE resource = ${resource} AND token = ${token}`),
    );
  }
}
