/** Thrown if another node cannot be reached, does not answer in time, or no longer holds the requested resource. */
export class NodeUnavailable extends Error {
  /** True if the other node certainly did not start the call, so that a retry is safe. */
  readonly isUnbegun: boolean;

  constructor(message: string, { cause, isUnbegun = false }: { cause?: unknown; isUnbegun?: boolean } = {}) {
    super(message, { cause });
    this.isUnbegun = isUnbegun;
  }
}

/**
 * Handles a call that another node forwards after checking the caller's access. The handler must not forward the call
 * again; it throws NodeUnavailable if this node cannot serve the call.
 */
export type NodeCallHandler = (body: unknown) => Promise<unknown>;

/**
 * Handles a forwarded call whose body is bytes, and returns the answer in parts. Each part is sent as soon as it is
 * ready.
 */
export type NodeStreamHandler = (body: Uint8Array) => AsyncIterable<unknown>;

/** Maximum size in bytes of a call between nodes. */
export const maxCallBytes = 4 * 2 ** 20;

/**
 * Forwards calls to the node (server process) that holds the note or spreadsheet in memory. Calls are authenticated
 * with a key derived from the installation's secret, and limited in size.
 */
export interface NodeCalls {
  /**
   * Calls the handler for this kind of call on another node and returns its answer. Throws NodeUnavailable if that node
   * cannot be reached, does not answer in time or fails to serve the call.
   */
  call(address: string, kind: string, body: unknown): Promise<unknown>;
  /** Registers the handler for the calls of one kind that other nodes make to this node. */
  handle(kind: string, handler: NodeCallHandler): void;
  /**
   * Calls a handler on another node and yields the parts of its answer as they arrive. There is no total time limit,
   * but NodeUnavailable is thrown when the other node sends nothing for some seconds. A body above `maxCallBytes` is
   * refused.
   */
  stream(address: string, kind: string, body: Uint8Array): AsyncIterable<unknown>;
  handleStream(kind: string, handler: NodeStreamHandler): void;
}

/** Receives calls of other nodes. Used only by the HTTP transport. */
export interface NodeCallReceiver {
  /**
   * Checks the signature in the header of a call before its body is read, and accepts each signature only once. Returns
   * the hash that the body must have, or undefined if the call does not come from a node of this installation or there
   * is no handler of this kind.
   */
  authenticate(kind: string, header: string | undefined): string | undefined;
  /**
   * Runs the handler for this kind of call. Returns its answer as JSON, or the parts of a streamed answer as lines of
   * JSON. Returns undefined if the hash of the body is not `bodyHash`, the hash from the signed header.
   */
  receive(kind: string, bodyHash: string, body: Uint8Array): Promise<string | AsyncIterable<string> | undefined>;
}
