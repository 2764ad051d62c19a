/**
 * What an attack of the drill is. Each is a file of attacks/ that exports `attack`; the folder's listing is the list:
 *
 *   // tools/drills/attacks/r2.ts
 *   export const attack: Attack = {
 *     name: 'R2 part list of 200 KB',
 *     async run(server) {
 *       await fetch(`${server.url}/...`, { method: 'POST', body: hostile });
 *     },
 *   };
 *
 * Every attack gets a server of its own: the built product on an empty folder. While `run` is under way the drill asks
 * /healthz, edits a cell and writes a note as somebody else, and reads the memory of the server and its children.
 */
import type { Callable, Key } from '../testing/calls.ts';

export interface Target extends Callable {
  /** A member who is neither the owner nor the one whose edits are measured. */
  readonly attacker: Key;
  /** The server's process. */
  readonly pid: number;
}

export interface Attack {
  /** The finding's number first: it is the row of the table. */
  readonly name: string;
  /** Settings of the server beside the drill's own. */
  readonly env?: Record<string, string>;
  /** Not measured: what the attack needs to be there. */
  prepare?(server: Target): Promise<void>;
  /** Measured until it resolves. Being refused is fine; what the attack cannot do without must be checked. */
  run(server: Target): Promise<void>;
}
