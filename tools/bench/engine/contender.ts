import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A cell as typed: text that begins with `=` is a formula, null leaves the cell empty. */
export type Input = number | string | null;
export type Rows = readonly (readonly Input[])[];

/** An engine as every workload drives it. What an engine cannot do in this form, it leaves out. */
export interface Contender {
  /** Makes a new workbook of these rows, from A1, and computes it. The one before is given up. */
  build(rows: Rows): void | Promise<void>;
  /** Writes one cell and brings everything up to date. */
  set(row: number, col: number, value: number): void | Promise<void>;
  value(row: number, col: number): unknown;
  insertRow?(at: number): void | Promise<void>;
  /** Sorts rows 0 to `rows - 1` of the first `cols` columns, ascending. */
  sort?(rows: number, cols: number, keys: readonly number[]): void | Promise<void>;
  /** Cells of a block from A1, each as the engine tells it to the outside; returns how many. */
  read?(rows: number, cols: number): number;
  /** Gives the workbook up. */
  close?(): void;
}

export const contenders = ['sheaf', 'hyperformula', 'ironcalc', 'univer', 'o-spreadsheet'] as const;
/** `facade` is ours as strangers drive it. */
export type ContenderName = (typeof contenders)[number] | 'facade';

/** Peers are installed beside the benchmarks, not beside the product. */
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
