import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a worker thread's bundle: next to the server's bundle, or in dist/ when run from source (tests).
 */
export function workerScriptPath(name: string): string {
  const places = ['./workers', '../../../dist/workers', '../../dist/workers'].map((folder) =>
    fileURLToPath(new URL(`${folder}/${name}.js`, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`the worker ${name} is not built; run npm run build`);
  return found;
}
