import { NotWritable } from '../../ports/availability-errors.ts';

/** Stores the reason why the database last refused a write, until a later write succeeds. */
export class WriteHealth {
  #reason: string | undefined;

  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Awaits a write. If it fails because the database is not writable, stores the reason. `isRecorded` is true if the
   * write stores a record of the call, so that its success proves that the database is writable. The success of another
   * write proves nothing, because it may have changed no rows.
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
