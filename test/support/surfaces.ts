/**
 * One tool, every surface, both databases, on servers that the whole run shares (see shared-server.ts).
 *
 *   onEachSurface('sheet', 'set_cell_value', (call, server) => {
 *     test('[S1] ...', async () => {
 *       expect(await call('set_cell_value', {...})).toEqual({ code: 0, msg: 'success', data: {} });
 *     });
 *   });
 *
 * runs the suite four times: over HTTP and over MCP, on sqlite and on postgres. Tests that need a server of their own, or
 * its insides, use eachSurface of server.ts.
 */
import { beforeAll, describe } from 'vitest';
import type { Callable, ModuleCall } from './calls.ts';
import { sharedDatabases, sharedServer } from './shared-server.ts';

export function onEachSurface(
  module: string,
  title: string,
  suite: (call: ModuleCall, server: () => Callable) => void,
): void {
  for (const database of sharedDatabases) {
    describe(`${title} on ${database}`, () => {
      let server: Callable;
      beforeAll(async () => {
        server = await sharedServer(database);
      });
      for (const surface of ['http', 'mcp'] as const) {
        describe(`over ${surface}`, () =>
          suite(
            (operation, input, as) => server.call(surface, module, operation, input, as),
            () => server,
          ));
      }
    });
  }
}
