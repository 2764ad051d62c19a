import type { DatabaseName } from './databases.ts';
import type { Surface } from './call-client.ts';

export interface SurfaceDatabasePair {
  readonly database: DatabaseName;
  readonly surface: Surface;
}

export const allPairs: readonly SurfaceDatabasePair[] = [
  { database: 'sqlite', surface: 'http' },
  { database: 'postgres', surface: 'mcp' },
  { database: 'sqlite', surface: 'mcp' },
  { database: 'postgres', surface: 'http' },
];

/**
 * Returns the pairs of surface (HTTP or MCP) and database on which a suite runs. By default this is a single pair,
 * selected by the suite's title. This suffices, because the tests generated from the schemas (generated.ts) call every
 * operation on all four pairs. SHEAF_EVERY_SURFACE=1 selects all four.
 */
export function pairsFor(title: string): readonly SurfaceDatabasePair[] {
  if (process.env['SHEAF_EVERY_SURFACE']) return allPairs;
  const sum = [...title].reduce((total, character) => total + character.codePointAt(0)!, 0);
  return [allPairs[sum % allPairs.length]!];
}
