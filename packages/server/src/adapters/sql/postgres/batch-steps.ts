import { runInNextTurn } from '../../../lib/background-tasks.ts';
import type { BatchStep } from '../database.ts';
import { PipelinedSql, type Pipeline } from './pipeline.ts';

interface StepCaller {
  readonly input: unknown;
  /** Called before the step runs, with the object through which the step must send its statements. */
  begin(sql: PipelinedSql): void;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs each step (part of a write, such as storing a text) once for all writes of one transaction that reach it in the
 * same turn of the event loop. Writes whose statements were sent together do so, because their answers arrive together,
 * too. The step runs in the following turn.
 */
export class BatchSteps {
  readonly #pipeline: Pipeline;
  readonly #waiting = new Map<BatchStep<never, unknown>, StepCaller[]>();

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  run<Input, Output>(
    step: BatchStep<Input, Output>,
    input: Input,
    begin: (sql: PipelinedSql) => void,
  ): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const taker = { input, begin, resolve, reject } as StepCaller;
      const others = this.#waiting.get(step);
      if (others) {
        others.push(taker);
        return;
      }
      this.#waiting.set(step, [taker]);
      runInNextTurn('a step of several writes', () => this.#runFor(step));
    });
  }

  async #runFor(step: BatchStep<never, unknown>): Promise<void> {
    const takers = this.#waiting.get(step) ?? [];
    this.#waiting.delete(step);
    const sql = new PipelinedSql(this.#pipeline);
    for (const taker of takers) taker.begin(sql);
    try {
      const outputs = await step(sql, takers.map(({ input }) => input) as never[]);
      for (const [index, taker] of takers.entries()) taker.resolve(outputs[index]);
    } catch (error) {
      for (const taker of takers) taker.reject(error);
    }
  }
}
