import type { DocumentLeaseManager } from '../../../ports/document-leases.ts';
import type { IdempotencyStore } from '../../../ports/idempotency-store.ts';
import type { NodeCalls } from '../../../ports/node-calls.ts';
import { CallHandOver } from './call-hand-over.ts';
import { DocumentHomes } from './document-homes.ts';
import { callKind } from './handed-over-call.ts';
import type { HostServices } from './host-services.ts';
import type { QueuedCall } from './queued-call.ts';
import { serveHandedOver } from './serve-handed-over.ts';

/** Services by which documents are shared with the other nodes of the installation. */
export interface DocumentNodeServices {
  readonly leases: DocumentLeaseManager;
  readonly nodeCalls: NodeCalls;
  readonly answers: IdempotencyStore;
  /** Returns the number of nodes that share the database. */
  readonly nodes: () => number;
  /** Name of this node. */
  readonly node: string;
  /** Returns whether other nodes can reach this node. */
  readonly isReachable: () => boolean;
}

/** Functions for calls that this node runs itself instead of forwarding them to another node. */
interface LocalDocuments {
  run(file: string, call: QueuedCall): void;
  checkAccess(file: string, call: QueuedCall): Promise<void>;
  /**
   * Returns the version of the document that this node has in memory; undefined if the document is not open on this
   * node.
   */
  heldVersion(file: string): number | undefined;
}

/**
 * Decides for each call whether it runs on this node or on the node that holds the document. Also runs the calls that
 * other nodes forward.
 */
export class DocumentCallRouter {
  readonly #links: DocumentNodeServices;
  readonly #documents: LocalDocuments;
  readonly #homes: DocumentHomes;
  readonly #handOver: CallHandOver;
  #isClosed = false;

  constructor(links: DocumentNodeServices, services: HostServices, documents: LocalDocuments) {
    this.#links = links;
    this.#documents = documents;
    this.#homes = new DocumentHomes(links);
    this.#handOver = new CallHandOver({ ...links, ...services, homes: this.#homes }, documents);
    const host = {
      leaseOf: (file: string, user: string) => this.#homes.leaseOf(file, user),
      run: (file: string, call: QueuedCall) => documents.run(file, call),
      isClosed: () => this.#isClosed,
    };
    links.nodeCalls.handleStream(callKind, (body) => serveHandedOver(body, host));
  }

  get heldCount(): number {
    return this.#homes.heldCount;
  }

  /** Runs a call on this node or on the node that holds the document. */
  run(file: string, call: QueuedCall): void {
    if (this.#links.nodes() > 1 && this.#documents.heldVersion(file) === undefined)
      this.#homes.lookUp(file).then(
        () => this.#route(file, call),
        (error: unknown) => call.reject(error),
      );
    else this.#route(file, call);
  }

  #route(file: string, call: QueuedCall): void {
    const isAway =
      this.#homes.holderOf(file) !== undefined &&
      !this.#links.answers.isAudited(call.stamp) &&
      (call.need !== 'viewer' || this.#handOver.saves(file, call.atLeast, this.#documents.heldVersion(file)));
    if (isAway) this.#handOver.send(file, [call]);
    else this.#documents.run(file, call);
  }

  async takeOver(file: string, calls: readonly QueuedCall[]): Promise<boolean> {
    const holder = await this.#homes.noteConflict(file);
    if (holder) this.#handOver.send(file, calls);
    return holder !== undefined;
  }

  lost(file: string): void {
    this.#homes.lost(file);
  }

  /** Forgets which nodes hold which documents. Called when the database was replaced by another one. */
  clear(): void {
    this.#homes.clear();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#homes.close();
  }
}
