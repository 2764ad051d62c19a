/**
 * Keys that are pressed while the sub-sheet they are meant for is still being made: they wait and then act on it, in order.
 * When it could not be made they are for nothing, and do nothing.
 */
export class HeldKeys {
  #making = 0;
  #held: (() => void)[] = [];

  get isHolding(): boolean {
    return this.#making > 0;
  }

  /** Whether it waits; else whoever asks does it now. */
  hold(press: () => void): boolean {
    if (this.#making === 0) return false;
    this.#held.push(press);
    return true;
  }

  async during<Result>(making: Promise<Result>): Promise<Result> {
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

  /** One of them may be the key that makes the next sub-sheet: those after it go on waiting. */
  #release(): void {
    while (this.#making === 0 && this.#held.length > 0) this.#held.shift()!();
  }
}
