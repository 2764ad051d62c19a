/**
 * Queues key presses while the sub-sheet (tab) that they apply to is being created, and then replays them in order. If
 * the creation fails, the keys are discarded.
 */
export class KeyQueue {
  #making = 0;
  #held: (() => void)[] = [];

  get isQueueing(): boolean {
    return this.#making > 0;
  }

  /** Queues a key press. Returns false if nothing is being created; the caller should then handle the key at once. */
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
   * Handles the key presses that were queued while a sub-sheet (tab) was created. Stops if one of them creates another
   * sub-sheet; the remaining key presses then wait until that sub-sheet exists.
   */
  #release(): void {
    while (this.#making === 0 && this.#held.length > 0) this.#held.shift()!();
  }
}
