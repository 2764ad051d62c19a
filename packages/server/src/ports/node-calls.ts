/** Thrown if another node cannot be reached, does not answer in time, or no longer holds the requested resource. */
export class NodeUnavailable extends Error {
  /** True if the other node certainly did not begin the call. */
  readonly isUnbegun: boolean;

  constructor(message: string, { cause, isUnbegun = false }: { cause?: unknown; isUnbegun?: boolean } = {}) {
    super(message, { cause });
    this.isUnbegun = isUnbegun;
  }
}

/**
 * Handles calls that another node hands over. That node has already checked the caller's access. A handler must not
 * hand the call over again; it throws NodeUnavailable if this node cannot serve it.
 */
export type NodeCallHandler = (body: unknown) => Promise<unknown>;

/** Handles a call like NodeCallHandler, but takes bytes and answers in parts, each sent as soon as it is ready. */
export type NodeStreamHandler = (body: Uint8Array) => AsyncIterable<unknown>;

/** Maximum size of a call in bytes. */
export const maxCallBytes = 4 * 2 ** 20;

/**
 * Hands calls over to the node that holds a document. Calls are authenticated with a key derived from the
 * installation's secret, and limited in size.
 */
export interface NodeCalls {
  /** Calls a handler of another node and returns its answer, which may report an error. Throws NodeUnavailable. */
  call(address: string, kind: string, body: unknown): Promise<unknown>;
  /** Registers the handler of a kind of calls. */
  handle(kind: string, handler: NodeCallHandler): void;
  /**
   * Calls a handler that answers in parts. It may work for as long as it wants, but throws NodeUnavailable as soon as
   * the other node has been silent for some seconds. A body of more than `maxCallBytes` is refused.
   */
  stream(address: string, kind: string, body: Uint8Array): AsyncIterable<unknown>;
  handleStream(kind: string, handler: NodeStreamHandler): void;
}

/** Receives calls of other nodes. Only the transport uses it. */
export interface NodeCallReceiver {
  /**
   * Checks the signature of a call before its body is read, and accepts each signature once. Returns the hash that the
   * body must have, or undefined if the call does not come from a node of this installation.
   */
  authenticate(kind: string, header: string | undefined): string | undefined;
  /**
   * Runs the handler and returns its answer as JSON, or its parts as lines of JSON; undefined if the body is not the
   * signed one.
   */
  receive(kind: string, bodyHash: string, body: Uint8Array): Promise<string | AsyncIterable<string> | undefined>;
}
