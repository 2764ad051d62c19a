import { nextTurn } from '../../../lib/background.ts';
import type { SharedStep } from '../database.ts';
import { PipelinedSql, type Pipeline } from './transaction.ts';

interface Taker {
  readonly input: unknown;
  /** Told by whose statements the step is taken, before it is. */
  begin(sql: PipelinedSql): void;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * The steps that the bodies of one transaction share. Answers to their last statements come together, so that they also come
 * to the next step in one turn of the event loop: in the next one it is taken for all of them.
 */
export class SharedSteps {
  readonly #pipeline: Pipeline;
  readonly #waiting = new Map<SharedStep<never, unknown>, Taker[]>();

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  take<Input, Output>(
    step: SharedStep<Input, Output>,
    input: Input,
    begin: (sql: PipelinedSql) => void,
  ): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const taker = { input, begin, resolve, reject } as Taker;
      const others = this.#waiting.get(step);
      if (others) {
        others.push(taker);
        return;
      }
      this.#waiting.set(step, [taker]);
      nextTurn('a step of several writes', () => this.#takeFor(step));
    });
  }

  async #takeFor(step: SharedStep<never, unknown>): Promise<void> {
    const takers = this.#waiting.get(step) ?? [];
    this.#waiting.delete(step);
    const sql = new PipelinedSql(this.#pipeline);
    for (const taker of takers) taker.begin(sql);
    try {
      const outputs = await step.take(sql, takers.map(({ input }) => input) as never[]);
      for (const [index, taker] of takers.entries()) taker.resolve(outputs[index]);
    } catch (error) {
      for (const taker of takers) taker.reject(error);
    }
  }
}
