import { NotWritable } from '../../ports/availability-errors.ts';

/** Remembers why the database refused the last writes, until a write succeeds. */
export class WriteHealth {
  #reason: string | undefined;

  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Awaits a write and records its outcome. Only a successful write that was recorded clears the reason: other writes
   * may have changed no rows.
   */
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
