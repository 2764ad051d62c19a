import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The bundle of a worker thread. From the bundle it lies beside us, from the sources (tests) in dist/. */
export function workerScript(name: string): string {
  const places = ['./workers', '../../../dist/workers', '../../dist/workers'].map((folder) =>
    fileURLToPath(new URL(`${folder}/${name}.js`, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`the worker ${name} is not built; run npm run build`);
  return found;
}
