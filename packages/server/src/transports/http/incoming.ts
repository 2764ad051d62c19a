import { IncomingMessage } from 'node:http';

/** Gets a body piece by piece, then null. */
export type Taker = (piece: Buffer | null) => void;

/**
 * A request whose body can be had as it arrives, without the queue and the events of a stream: these cost a tenth of a small
 * call. To whoever does not ask for that it is an ordinary request.
 */
export class Incoming extends IncomingMessage {
  #taker: Taker | undefined;
  #isStreamed = false;
  /** An upload that was found to be allowed: it may take as long as its bytes keep coming. */
  isUpload = false;

  giveTo(taker: Taker): void {
    // What the stream holds already comes out of the stream.
    if (this.#isStreamed)
      this.on('data', taker)
        .on('end', () => taker(null))
        .on('error', () => undefined);
    else {
      this.#taker = taker;
      // Node empties a request that nobody has read from, with more effort than this.
      this.read(0);
    }
  }

  /** What comes from now on goes into the stream again, and nothing of what came stays. */
  release(): void {
    this.#taker = undefined;
  }

  /** Node calls it with each piece it has read from the connection. */
  override push(piece: Buffer | null): boolean {
    if (this.#taker === undefined) {
      this.#isStreamed = true;
      return super.push(piece);
    }
    this.#taker(piece);
    return true;
  }
}
