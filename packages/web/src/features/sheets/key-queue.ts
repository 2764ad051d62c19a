/**
 * Queues key presses while the sub-sheet they are meant for is being created, then replays them in order. If the
 * creation fails, they are discarded.
 */
export class KeyQueue {
  #making = 0;
  #held: (() => void)[] = [];

  get isQueueing(): boolean {
    return this.#making > 0;
  }

  /** Queues a key press. Returns false if nothing is being created and the caller should handle the key now. */
  enqueue(press: () => void): boolean {
    if (this.#making === 0) return false;
    this.#held.push(press);
    return true;
  }

  async queueDuring<Result>(making: Promise<Result>): Promise<Result> {
    this.#making += 1;
    try {
      const result = await making;
      this.#making -= 1;
      this.#release();
      return result;
    } catch (error) {
      this.#making -= 1;
      this.#held = [];
      throw error;
    }
  }

  /**
   * Replays the queued keys. Stops if one of them creates another sub-sheet; the remaining keys then wait for that
   * one.
   */
  #release(): void {
    while (this.#making === 0 && this.#held.length > 0) this.#held.shift()!();
  }
}
