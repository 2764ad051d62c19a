/**
 * The right of one node to hold a resource, such as the room of a note, in memory. `token` increases with every holder:
 * a write that carries an older token is refused, so that a node that lost its lease without noticing changes nothing.
 */
export interface DocumentLease {
  readonly resource: string;
  readonly token: number;
}

/** The node that holds a resource, and the address at which other nodes reach it. */
export interface LeaseHolder {
  readonly node: string;
  readonly address: string;
  /** Token of the holder's lease. */
  readonly token: number;
}

/**
 * Assigns resources to nodes, each to one node at a time. A node keeps its leases by renewing them; a lease that is not
 * renewed lapses, and another node may take the resource over.
 */
export interface DocumentLeases {
  /** Returns a lease for this node, or the node that holds the resource. */
  acquire(resource: string): Promise<DocumentLease | LeaseHolder>;
  /** Returns the node that holds the resource now; undefined if none does. */
  holder(resource: string): Promise<LeaseHolder | undefined>;
  /**
   * Takes a resource from a holder that does not answer, before its lease lapses. Returns a lease for this node, or the
   * node that holds the resource by now if that is no longer `from`.
   */
  takeFrom(resource: string, from: LeaseHolder): Promise<DocumentLease | LeaseHolder>;
  /** Renews all leases of this node. Returns the resources that it still holds. */
  renew(): Promise<ReadonlySet<string>>;
  /** Ends a lease. Does nothing if another node has taken the resource over. */
  release(lease: DocumentLease): Promise<void>;
}

/** Thrown by a write whose lease was taken over by another node; nothing was written. */
export class LeaseLost extends Error {
  constructor(resource: string) {
    super(`another node has taken over ${resource}`);
    this.name = 'LeaseLost';
  }
}
