import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A cell input: text that starts with `=` is a formula, null leaves the cell empty. */
export type Input = number | string | null;
export type Rows = readonly (readonly Input[])[];

/** Adapter of an engine for the workloads. An operation that the engine does not support is left out. */
export interface Contender {
  /** Creates and calculates a new workbook with these rows, from A1; discards the previous one. */
  build(rows: Rows): void | Promise<void>;
  /** Writes one cell and recalculates. */
  set(row: number, col: number, value: number): void | Promise<void>;
  value(row: number, col: number): unknown;
  insertRow?(at: number): void | Promise<void>;
  /** Sorts rows 0 to `rows - 1` of the first `cols` columns, ascending. */
  sort?(rows: number, cols: number, keys: readonly number[]): void | Promise<void>;
  /** Reads a block of cells from A1 in the engine's output form; returns the number of cells. */
  read?(rows: number, cols: number): number;
  /** Discards the workbook. */
  close?(): void;
}

export const contenders = ['sheaf', 'hyperformula', 'ironcalc', 'univer', 'o-spreadsheet'] as const;
/** `facade` is our engine through its public `Workbook` class. */
export type ContenderName = (typeof contenders)[number] | 'facade';

/** Peers are installed for the benchmarks only, not for the product. */
export function peers(root: string): NodeJS.Require {
  return createRequire(join(root, 'tools', 'bench', 'package.json'));
}

export async function importPeer<Module>(root: string, name: string, file: string): Promise<Module> {
  const folder = join(root, 'tools', 'bench', 'node_modules', name);
  return (await import(pathToFileURL(join(folder, file)).href)) as Module;
}

export function peerFile(root: string, name: string): string {
  return dirname(join(root, 'tools', 'bench', 'node_modules', name, 'package.json'));
}
