import { runEvery } from '../../../lib/background-tasks.ts';
import type { DocumentLease, DocumentLeaseManager, LeaseHolder } from '../../../ports/document-leases.ts';

const renewMs = 3_000;
/**
 * Period in milliseconds. If two commits of this node to a document are refused within this period because other nodes
 * committed first, several nodes are editing the document.
 */
const contentionMs = 10_000;
/** If a node sends no calls on a document for this many milliseconds, it no longer counts as a user of the document. */
const interestMs = 30_000;
/**
 * Time in milliseconds for which this node remembers failures of other nodes. During this time, it sends no calls to a
 * node that could not be reached, and does not take the lease of a document whose holder refused a call or did not
 * answer.
 */
const avoidMs = 5_000;

/**
 * A document that this node (server process) holds: it has the document's lease, and other nodes forward their calls to
 * it. `usedBy` has the time of the last use by each node; undefined stands for this node.
 */
interface HeldDocument {
  readonly lease: DocumentLease;
  readonly takenAt: number;
  readonly usedBy: Map<string | undefined, number>;
}

interface HomeServices {
  readonly leases: DocumentLeaseManager;
  /** Returns the number of nodes that share the database. */
  readonly nodes: () => number;
  /** Returns whether other nodes can reach this node. */
  readonly isReachable: () => boolean;
}

const resourceOf = (file: string): string => `sheet:${file}`;

/**
 * Tracks the home of each document: the node that runs its edits. Most documents are used through one node and have no
 * home. When several nodes edit a document, one of them takes its lease, and the others forward their calls to it. The
 * lease only makes edits cheaper: the version check of the store is what prevents lost edits.
 */
export class DocumentHomes {
  readonly #services: HomeServices;
  readonly #held = new Map<string, HeldDocument>();
  /**
   * By document id: the other node that has the document's lease (`holder`), and the time at which this node last used
   * the document (`usedAt`).
   */
  readonly #away = new Map<string, { readonly holder: LeaseHolder; usedAt: number }>();
  readonly #conflicts = new Map<string, number>();
  /** By document id: the time at which the node with the document's lease refused a call or did not answer. */
  readonly #moved = new Map<string, number>();
  /** Addresses of nodes that could not be reached, with the time of the last attempt. */
  readonly #unreachable = new Map<string, number>();
  readonly #asking = new Map<string, Promise<LeaseHolder | undefined>>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(services: HomeServices) {
    this.#services = services;
    this.#timer = runEvery('renewing the leases of documents', renewMs, () => this.#renew()).unref();
  }

  get heldCount(): number {
    return this.#held.size;
  }

  /**
   * Returns the other node that holds the document, to which calls on it must be forwarded. Returns undefined if the
   * calls run on this node: no other node is known to hold the document, or the holder recently could not be reached.
   */
  holderOf(file: string): LeaseHolder | undefined {
    const away = this.#away.get(file);
    if (!away) {
      this.#held.get(file)?.usedBy.set(undefined, performance.now());
      return undefined;
    }
    const since = performance.now() - (this.#unreachable.get(away.holder.address) ?? -Infinity);
    if (since < avoidMs) return undefined;
    away.usedAt = performance.now();
    return away.holder;
  }

  /**
   * Returns the document's lease if this node has it. Records that the node `user`, which forwarded a call, uses the
   * document.
   */
  leaseOf(file: string, user: string): DocumentLease | undefined {
    const held = this.#held.get(file);
    held?.usedBy.set(user, performance.now());
    return held?.lease;
  }

  /**
   * Looks up which other node has a document's lease, before the document is opened on this node. Returns undefined if
   * no other node has it, or if that node recently could not be reached.
   */
  async lookUp(file: string): Promise<LeaseHolder | undefined> {
    if (this.#services.nodes() < 2 || this.#held.has(file)) return undefined;
    if (this.#away.has(file)) return this.holderOf(file);
    return this.#once(file, () => this.#services.leases.holder(resourceOf(file)));
  }

  /**
   * Called when a commit of this node was refused, because another node had committed a change of the document first.
   * At the second such refusal within a short time, acquires the document's lease, provided that other nodes can reach
   * this node. Returns the other node that has the lease; undefined if there is none.
   */
  async noteConflict(file: string): Promise<LeaseHolder | undefined> {
    if (this.#held.has(file) || this.#services.nodes() < 2) return undefined;
    const known = this.holderOf(file);
    if (known) return known;
    const now = performance.now();
    const last = this.#conflicts.get(file) ?? -Infinity;
    this.#conflicts.set(file, now);
    if (now - last > contentionMs || now - (this.#moved.get(file) ?? -Infinity) < avoidMs) return undefined;
    const { leases, isReachable } = this.#services;
    return this.#once(file, () => (isReachable() ? leases.acquire(resourceOf(file)) : leases.holder(resourceOf(file))));
  }

  /**
   * Takes the document's lease from a node that does not answer. From then on, that node can commit only the calls that
   * it was already committing. Returns undefined if this node has the lease now; otherwise the node that took it first.
   */
  async takeFrom(file: string, lost: LeaseHolder): Promise<LeaseHolder | undefined> {
    this.#unreachable.set(lost.address, performance.now());
    this.forget(file, lost);
    await this.#asking.get(file);
    return this.#learn(file, await this.#services.leases.takeFrom(resourceOf(file), lost));
  }

  /**
   * Deletes the record that the node `holder` has the document's lease, because that node refused a call or did not
   * answer. Calls then run on this node until it learns of another holder.
   */
  forget(file: string, holder: LeaseHolder): void {
    if (this.#away.get(file)?.holder.token === holder.token) this.#away.delete(file);
    this.#moved.set(file, performance.now());
  }

  /** Records that another node has taken this document's lease from this node. */
  lost(file: string): void {
    this.#held.delete(file);
  }

  /** Deletes all records, because the database was replaced. */
  clear(): void {
    for (const known of [this.#held, this.#away, this.#conflicts, this.#moved, this.#unreachable]) known.clear();
  }

  /**
   * Runs `ask`, which looks up the home of a document or takes the document's lease. If a request for the document is
   * already running, returns its result.
   */
  #once(file: string, ask: () => Promise<DocumentLease | LeaseHolder | undefined>): Promise<LeaseHolder | undefined> {
    let asking = this.#asking.get(file);
    if (!asking) {
      asking = ask()
        .then((found) => this.#learn(file, found))
        .finally(() => this.#asking.delete(file));
      this.#asking.set(file, asking);
    }
    return asking;
  }

  async #learn(file: string, found: DocumentLease | LeaseHolder | undefined): Promise<LeaseHolder | undefined> {
    this.#conflicts.delete(file);
    if (!found) return undefined;
    const now = performance.now();
    if ('address' in found) {
      this.#held.delete(file);
      this.#away.set(file, { holder: found, usedAt: now });
      return this.holderOf(file);
    }
    this.#away.delete(file);
    if (this.#isClosed || !this.#services.isReachable()) await this.#services.leases.release(found);
    else if (this.#held.get(file)?.lease.token !== found.token)
      this.#held.set(file, { lease: found, takenAt: now, usedBy: new Map([[undefined, now]]) });
    return undefined;
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    for (const [file, { usedAt }] of this.#away) if (now - usedAt > interestMs) this.#away.delete(file);
    for (const [file, at] of this.#conflicts) if (now - at > contentionMs) this.#conflicts.delete(file);
    for (const times of [this.#moved, this.#unreachable])
      for (const [key, at] of times) if (now - at > avoidMs) times.delete(key);
    for (const [file, { lease, takenAt, usedBy }] of this.#held) {
      for (const [node, at] of usedBy) if (now - at > interestMs) usedBy.delete(node);
      if (usedBy.size < 2 && now - takenAt > interestMs) await this.#release(file, lease);
    }
    const held = [...this.#held];
    if (held.length === 0) return;
    const kept = await this.#services.leases.renew();
    for (const [file, one] of held)
      if (!kept.has(one.lease.resource) && this.#held.get(file) === one) this.#held.delete(file);
  }

  async #release(file: string, lease: DocumentLease): Promise<void> {
    this.#held.delete(file);
    await this.#services.leases.release(lease);
  }

  /** Releases all leases, so that other nodes can acquire them at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const [file, { lease }] of this.#held) await this.#release(file, lease);
  }
}
