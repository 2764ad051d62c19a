import { NotWritable } from '../../ports/availability-errors.ts';

/** Remembers why the database last refused a write, until a later write succeeds. */
export class WriteHealth {
  #reason: string | undefined;

  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Awaits a write and remembers its error if the database was not writable. `isRecorded` is true if the write stores a
   * record of the call, so that its success proves that the database is writable; other writes may have changed no
   * rows.
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
