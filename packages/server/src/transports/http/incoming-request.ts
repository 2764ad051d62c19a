import { IncomingMessage } from 'node:http';

/** Receives the body chunk by chunk, then null at its end. */
export type BodyChunkHandler = (piece: Buffer | null) => void;

/**
 * A request that can pass its body chunks directly to a callback. For a small call, the queue and events of a stream
 * would take a tenth of the time. Without `onBodyChunk` it is an ordinary request.
 */
export class IncomingRequest extends IncomingMessage {
  #taker: BodyChunkHandler | undefined;
  #isStreamed = false;
  /** Whether this is an authorized upload, which may take any time as long as bytes continue to arrive. */
  isUpload = false;

  onBodyChunk(taker: BodyChunkHandler): void {
    // Read through the stream if it already has data.
    this.#taker = taker;
    if (this.#isStreamed)
      this.on('data', (piece: Buffer) => this.#taker?.(piece))
        .on('end', () => this.#taker?.(null))
        .on('error', () => undefined);
    else {
      // Mark the request as read. Otherwise Node drains it after the answer, which costs more.
      this.read(0);
    }
  }

  /** Removes the callback. Later chunks go to the stream. */
  detachBodyHandler(): void {
    this.#taker = undefined;
  }

  /** Passes a chunk to the callback or to the stream. Node calls this with each chunk read from the connection. */
  override push(piece: Buffer | null): boolean {
    if (this.#taker === undefined || this.#isStreamed) {
      this.#isStreamed = true;
      return super.push(piece);
    }
    this.#taker(piece);
    return true;
  }
}
