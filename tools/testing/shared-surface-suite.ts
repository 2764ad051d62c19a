/**
 * Runs the tests of one operation on servers that the whole test run shares (see shared-server.ts).
 *
 *   onSharedSurface('sheet', 'set_cell_value', (call, server) => {
 *     test('[S1] ...', async () => {
 *       expect(await call('set_cell_value', {...})).toEqual({ code: 0, msg: 'success', data: {} });
 *     });
 *   });
 *
 * A suite runs on one pair of surface (HTTP or MCP) and database (see surface-database-pairs.ts). Tests that need a
 * separate server, or its internals, use onSurface of test-server.ts.
 */
import { beforeAll, describe } from 'vitest';
import type { Callable, ModuleCall } from './call-client.ts';
import { pairsFor } from './surface-database-pairs.ts';
import { sharedServer } from './shared-server.ts';

export function onSharedSurface(
  module: string,
  title: string,
  suite: (call: ModuleCall, server: () => Callable) => void,
): void {
  for (const { database, surface } of pairsFor(title)) {
    describe(`${title} on ${database} over ${surface}`, () => {
      let server: Callable;
      beforeAll(async () => {
        server = await sharedServer(database);
      });
      suite(
        (operation, input, as) => server.call(surface, module, operation, input, as),
        () => server,
      );
    });
  }
}
