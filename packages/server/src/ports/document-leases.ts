/**
 * The right of one node (server process) to hold a resource in memory, such as a note that users are editing. `token`
 * increases with every new lease of the resource. Writes with an older token are refused, so that a node that lost its
 * lease cannot change the resource.
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
 * Assigns each resource to one node at a time. A node keeps its leases by renewing them. A lease that is not renewed
 * expires, and another node may then acquire it.
 */
export interface DocumentLeaseManager {
  /** Returns a lease for this node, or the current holder if another node holds the resource. */
  acquire(resource: string): Promise<DocumentLease | LeaseHolder>;
  /** Returns the node that holds the resource now; undefined if none does. */
  holder(resource: string): Promise<LeaseHolder | undefined>;
  /**
   * Takes a resource from the holder `from`, which does not respond, before its lease expires. Returns a lease for this
   * node, or the current holder if another node has taken the resource meanwhile.
   */
  takeFrom(resource: string, from: LeaseHolder): Promise<DocumentLease | LeaseHolder>;
  /** Renews all leases of this node. Returns the resources that it still holds. */
  renew(): Promise<ReadonlySet<string>>;
  /** Ends a lease. Does nothing if another node has taken the resource over. */
  release(lease: DocumentLease): Promise<void>;
}

/** Thrown by a write if another node has taken over the lease that the writer held; nothing was written. */
export class LeaseLost extends Error {
  constructor(resource: string) {
    super(`another node has taken over ${resource}`);
    this.name = 'LeaseLost';
  }
}
