import { NotWritable } from '../../ports/availability-errors.ts';

/** Why the database rejects writes, according to the last ones. */
export class WriteHealth {
  #reason: string | undefined;

  get reason(): string | undefined {
    return this.#reason;
  }

  /** A successful write that was recorded has changed rows, so writes work again. Others may have written nothing. */
  async track<Result>(write: Promise<Result>, isRecorded: boolean): Promise<Result> {
    try {
      const result = await write;
      if (isRecorded) this.#reason = undefined;
      return result;
    } catch (error) {
      if (error instanceof NotWritable) this.#reason = error.message;
      throw error;
    }
  }
}
