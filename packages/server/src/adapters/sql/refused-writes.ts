import { NotWritable } from '../../ports/unavailable.ts';

/** Why a database takes no writes, as far as the last of them have shown. */
export class RefusedWrites {
  #reason: string | undefined;

  get reason(): string | undefined {
    return this.#reason;
  }

  /** A write that recorded something has changed rows: then there is room again. Others may have had nothing to write. */
  async watch<Result>(write: Promise<Result>, isRecorded: boolean): Promise<Result> {
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
