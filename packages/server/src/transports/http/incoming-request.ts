import { IncomingMessage } from 'node:http';

/** Receives the body chunk by chunk, then null. */
export type BodyChunkHandler = (piece: Buffer | null) => void;

/**
 * A request that can pass its body chunks directly to a callback. The queue and events of a stream would cost a tenth
 * of a small call. Without `onBodyChunk` it is an ordinary request.
 */
export class IncomingRequest extends IncomingMessage {
  #taker: BodyChunkHandler | undefined;
  #isStreamed = false;
  /** Set for an authorized upload, which may take any time as long as bytes keep arriving. */
  isUpload = false;

  onBodyChunk(taker: BodyChunkHandler): void {
    // If the stream already holds data, read through the stream.
    this.#taker = taker;
    if (this.#isStreamed)
      this.on('data', (piece: Buffer) => this.#taker?.(piece))
        .on('end', () => this.#taker?.(null))
        .on('error', () => undefined);
    else {
      // Mark the request as read; otherwise Node drains it after the answer, which costs more.
      this.read(0);
    }
  }

  /** Detaches the callback; later chunks go to the stream. */
  detachBodyHandler(): void {
    this.#taker = undefined;
  }

  /** Node calls this with each chunk read from the connection. */
  override push(piece: Buffer | null): boolean {
    if (this.#taker === undefined || this.#isStreamed) {
      this.#isStreamed = true;
      return super.push(piece);
    }
    this.#taker(piece);
    return true;
  }
}
