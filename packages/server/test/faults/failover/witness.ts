/**
 * One spreadsheet that is written and read by way of every node around one failover, and when each node was last seen to
 * have which word of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import type { Callers, Reached } from '../random/callers.ts';
import type { Outage } from './failovers.ts';

/** How long after a failover a node may still show what the database has lost. */
const agreedMs = 5_000;
const writePauseMs = 60;
const readPauseMs = 100;
const maxRows = 2_000;

type Words = ReadonlySet<string>;

export class Witness {
  readonly #callers: Callers;
  readonly #nodes: readonly Reached[];
  readonly #file: { readonly file_id: string; readonly sheet_id: string };
  readonly #acknowledged = new Map<string, number>();
  /** When a word was last read over a node, by word. */
  readonly #seen = new Map<string, { node: string; at: number }>();
  #isOver = false;
  #loops: Promise<void>[] = [];
  #next = 0;

  private constructor(callers: Callers, nodes: readonly Reached[], file: { file_id: string; sheet_id: string }) {
    this.#callers = callers;
    this.#nodes = nodes;
    this.#file = file;
  }

  static async begin(callers: Callers, nodes: readonly Reached[], chance: SeededRandom): Promise<Witness> {
    const made = await callers.persist(
      chance,
      'manage',
      'create_file',
      { title: 'Witness' },
      `witness ${chance.below(2 ** 32)}`,
    );
    if (made.kind !== 'done') throw new Error(`no witness: ${made.why}`);
    const witness = new Witness(callers, nodes, made.data as { file_id: string; sheet_id: string });
    witness.#loops = nodes.flatMap((node) => [witness.#write(node), witness.#read(node)]);
    return witness;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  /** What is wrong; `outage` is the one around which it was written, `mayLose` whether the standby is asynchronous. */
  async judge(outage: Outage, mayLose: boolean, fresh?: Reached): Promise<{ wrong: string[]; lost: number }> {
    const wrong: string[] = [];
    const truth = await this.#words(fresh ?? this.#nodes[0]!);
    for (const node of this.#nodes) {
      const words = await this.#words(node);
      if (words.size !== truth.size || [...words].some((word) => !truth.has(word)))
        wrong.push(`${node.name} has ${words.size} rows and others ${truth.size}`);
    }
    const lost = [...this.#acknowledged].filter(([word]) => !truth.has(word));
    for (const [word, at] of lost)
      if (!mayLose || at < outage.from || at > outage.back)
        wrong.push(`${word} was acknowledged ${seconds(at - outage.back)} after ${outage.name} and is not there`);
    for (const [word, { node, at }] of this.#seen)
      if (!truth.has(word) && at > outage.back + agreedMs)
        wrong.push(
          `${node} showed ${word} ${seconds(at - outage.back)} after ${outage.name}, and the database has lost it`,
        );
    const validation = await this.#callers.must('sheet', 'validate_file_data', { file_id: this.#file.file_id });
    if (validation['is_valid'] !== true) wrong.push(`the witness of ${outage.name}: ${JSON.stringify(validation)}`);
    return { wrong: wrong.slice(0, 10), lost: lost.length };
  }

  async #write(node: Reached): Promise<void> {
    while (!this.#isOver && this.#next < maxRows) {
      const word = `x${this.#next++}x`;
      const input = { file_id: this.#file.file_id, sheet_id: this.#file.sheet_id, rows: [[word]] };
      const outcome = await this.#callers.call(node, 'sheet', 'append_rows', input);
      if (outcome.kind === 'done') this.#acknowledged.set(word, performance.now());
      if (outcome.kind === 'refused') this.#callers.violations.push(`a row was refused: ${outcome.why}`);
      await sleep(writePauseMs);
    }
  }

  async #read(node: Reached): Promise<void> {
    while (!this.#isOver) {
      // When it was asked, not when it was answered: an answer may have been under way since before the failover.
      const at = performance.now();
      const words = await this.#words(node).catch(() => undefined);
      for (const word of words ?? [])
        if ((this.#seen.get(word)?.at ?? 0) < at) this.#seen.set(word, { node: node.name, at });
      await sleep(readPauseMs);
    }
  }

  async #words(node: Reached): Promise<Words> {
    const region = { start_row: 0, start_col: 0, end_row: maxRows, end_col: 0, return_csv: true };
    const input = { file_id: this.#file.file_id, sheet_id: this.#file.sheet_id, ...region };
    const outcome = await this.#callers.call(node, 'sheet', 'get_cell_data', input);
    if (outcome.kind !== 'done') throw new Error(outcome.why);
    return new Set(String(outcome.data['csv_data']).match(/x\d+x/g) ?? []);
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
