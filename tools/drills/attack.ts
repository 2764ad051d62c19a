/**
 * Defines the attacks of `npm run drill -- attacks`, which measures how much an attack on a server affects its other
 * users. Each file in the folder attacks/ exports one attack as `attack`, and all these files are run:
 *
 *     // tools/drills/attacks/r2-multipart-part-list.ts
 *     export const attack: Attack = {
 *       name: 'R2 part list of 200 KB',
 *       async run(server) {
 *         await fetch(`${server.url}/...`, { method: 'POST', body: hostile });
 *       },
 *     };
 *
 * Every attack gets its own server: the built product on an empty folder. While `run` is in progress, a separate
 * process polls /healthz, edits a cell and writes a note as another user, and reads the memory of the server and its
 * children.
 */
import type { Callable, Key } from '../testing/call-client.ts';

export interface Target extends Callable {
  /** API key of the attacking user, who is neither the server's owner nor the user whose calls are measured. */
  readonly attacker: Key;
  readonly pid: number;
}

export interface Attack {
  /** Id of the security finding, such as R2, and a short title. The report uses it as the row title. */
  readonly name: string;
  /** Additional environment variables of the server. */
  readonly env?: Record<string, string>;
  /** Creates what the attack needs; runs before the measurement. */
  prepare?(server: Target): Promise<void>;
  /**
   * The attack, which is measured until it resolves. The server may refuse requests, but the attack must check
   * responses it depends on.
   */
  run(server: Target): Promise<void>;
}
