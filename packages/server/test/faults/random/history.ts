/** Callers that write and read the cells of one document over all nodes, and the history of what they saw. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import type { Callers, Reached } from './callers.ts';
import { linearizable, type Call, type Verdict } from './linearizable.ts';

const cells = 4;
const clients = 5;

export class History {
  readonly #callers: Callers;
  readonly #chance: SeededRandom;
  readonly #calls: Call[] = [];
  #file = { id: '', sheet: '' };
  #next = 1;
  #clients: Promise<void>[] = [];

  constructor(callers: Callers, chance: SeededRandom) {
    this.#callers = callers;
    this.#chance = chance;
  }

  async begin(): Promise<void> {
    const made = await this.#callers.must('manage', 'create_file', { title: 'One document' });
    this.#file = { id: made['file_id'], sheet: made['sheet_id'] };
    this.#clients = Array.from({ length: clients }, () => this.#client(this.#chance.fork()));
  }

  async end(): Promise<void> {
    await Promise.all(this.#clients);
  }

  get length(): number {
    return this.#calls.length;
  }

  /** With a last read over each node, after all that was written. */
  async verdict(nodes: readonly Reached[]): Promise<Verdict> {
    for (const node of nodes) await this.#read(node);
    return linearizable(
      this.#calls,
      Array.from({ length: cells }, () => 0),
    );
  }

  async #client(chance: SeededRandom): Promise<void> {
    while (this.#callers.isRunning) {
      const node = this.#callers.someNode(chance);
      const isKnown = chance.happens(0.5) ? await this.#read(node) : await this.#write(node, chance);
      await sleep(isKnown ? chance.between(0, 60) : 150);
    }
  }

  async #read(node: Reached): Promise<boolean> {
    const region = { start_row: 0, start_col: 0, end_row: 0, end_col: cells - 1 };
    const began = performance.now();
    const input = { file_id: this.#file.id, sheet_id: this.#file.sheet, ...region };
    const outcome = await this.#callers.call(node, 'sheet', 'get_cell_data', input);
    if (outcome.kind !== 'done') return false;
    const seen = Array.from({ length: cells }, () => 0);
    for (const { col, number_value: value } of outcome.data['cells'] as { col: number; number_value: number }[])
      seen[col] = value;
    this.#calls.push({ operation: { kind: 'read', seen }, began, ended: performance.now() });
    return true;
  }

  /** One cell, or two neighbors at once: a read must never see half of that. */
  async #write(node: Reached, chance: SeededRandom): Promise<boolean> {
    const first = chance.below(cells - 1);
    const value = this.#next++;
    const isPair = chance.happens(0.4);
    const place = { file_id: this.#file.id, sheet_id: this.#file.sheet };
    const began = performance.now();
    const outcome = isPair
      ? await this.#callers.call(node, 'sheet', 'set_range_value_by_csv', {
          ...place,
          start_row: 0,
          start_col: first,
          csv_data: `${value},${value}`,
        })
      : await this.#callers.call(node, 'sheet', 'set_cell_value', {
          ...place,
          row: 0,
          col: first,
          value_type: 'NUMBER',
          number_value: value,
        });
    const ended = performance.now();
    if (outcome.kind === 'refused') this.#callers.violations.push(`an edit was refused: ${outcome.why}`);
    else {
      const values = new Map(isPair ? [first, first + 1].map((cell) => [cell, value]) : [[first, value]]);
      const operation = { kind: 'write', values } as const;
      this.#calls.push(outcome.kind === 'done' ? { operation, began, ended } : { operation, began });
    }
    return outcome.kind === 'done';
  }
}
