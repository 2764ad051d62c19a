import type { Dialect } from '../database.ts';

export interface Migration {
  /** Ascending from 1; never changed once released. */
  readonly number: number;
  readonly name: string;
  /**
   * The newest step that code must know to go on once this one is done: nodes that know it keep taking calls, older ones
   * notice and stop. Left out it is this very step. A step that only adds what older code can leave alone names the step
   * before it; one that takes away what code since some step no longer uses names that step (docs/guide/operations.md).
   */
  readonly worksWith?: number;
  statements(dialect: Dialect): string[];
}
