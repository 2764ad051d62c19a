/**
 * Defines an attack of the drill. Each file in attacks/ exports one as `attack`, and every file there is run:
 *
 *   // tools/drills/attacks/r2-multipart-part-list.ts
 *   export const attack: Attack = {
 *     name: 'R2 part list of 200 KB',
 *     async run(server) {
 *       await fetch(`${server.url}/...`, { method: 'POST', body: hostile });
 *     },
 *   };
 *
 * Every attack gets its own server: the built product on an empty folder. While `run` is in progress, the drill polls
 * /healthz, edits a cell and writes a note as another user, and reads the memory of the server and its children.
 */
import type { Callable, Key } from '../testing/call-client.ts';

export interface Target extends Callable {
  /** A member who is neither the owner nor the user whose edits are measured. */
  readonly attacker: Key;
  /** Process id of the server. */
  readonly pid: number;
}

export interface Attack {
  /** Starts with the finding's number; used as the row title in the table. */
  readonly name: string;
  /** Additional settings of the server. */
  readonly env?: Record<string, string>;
  /** Creates what the attack needs; not measured. */
  prepare?(server: Target): Promise<void>;
  /** Measured until it resolves. The server may refuse requests, but the attack must check the ones it depends on. */
  run(server: Target): Promise<void>;
}
