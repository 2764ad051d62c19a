import { NotWritable } from '../../ports/availability-errors.ts';

/**
 * Stores the reason why the database last refused a write, for example a full disk, until a later write proves that the
 * database is writable again.
 */
export class WriteHealth {
  #reason: string | undefined;

  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Awaits a write and returns its result. If the write fails because the database is not writable, stores the reason.
   * If `isRecorded` is true, the write also inserts an audit row. Its success then proves that the database is
   * writable, and the reason is cleared. Any other write may succeed without changing a row and so proves nothing.
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
