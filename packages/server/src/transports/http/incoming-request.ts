import { IncomingMessage } from 'node:http';

/** Callback that receives a request body chunk by chunk, then null at its end. */
export type BodyChunkHandler = (piece: Buffer | null) => void;

/**
 * An HTTP request that can pass its body chunks directly to a callback, which saves a tenth of the time of a small
 * call. Without `onBodyChunk` it behaves like an ordinary request.
 */
export class IncomingRequest extends IncomingMessage {
  #taker: BodyChunkHandler | undefined;
  #isStreamed = false;
  /** Whether this is an authorized upload. An upload may take any time as long as bytes arrive. */
  isUpload = false;

  onBodyChunk(taker: BodyChunkHandler): void {
    // If a part of the body is already in the request's ordinary stream, read the rest through the stream too, so that
    // no chunk is lost.
    this.#taker = taker;
    if (this.#isStreamed)
      this.on('data', (piece: Buffer) => this.#taker?.(piece))
        .on('end', () => this.#taker?.(null))
        .on('error', () => undefined);
    else {
      // Start reading. Otherwise Node would consider the body unread and discard it after the answer, which costs more.
      this.read(0);
    }
  }

  /** Removes the callback. Later chunks go to the request's ordinary stream. */
  detachBodyHandler(): void {
    this.#taker = undefined;
  }

  /**
   * Receives each chunk of the body that Node reads from the connection, and null at the end. Passes it to the callback
   * if there is one. Once a chunk has gone to the request's ordinary stream, all later chunks go to that stream too.
   */
  override push(piece: Buffer | null): boolean {
    if (this.#taker === undefined || this.#isStreamed) {
      this.#isStreamed = true;
      return super.push(piece);
    }
    this.#taker(piece);
    return true;
  }
}
