/**
 * Loads the server's code into the process of a test. Usually this is the built server in dist/, loaded once per
 * process. Tests that pass their own modules to the server need the source files instead (`kind` is 'sources').
 * SHEAF_SOURCES=1 selects the source files for all tests.
 */
import { fileURLToPath } from 'node:url';

type Product = typeof import('@sheaf/server/main.ts').parts;

export type ProductKind = 'built' | 'sources';

let built: Promise<Product> | undefined;

export async function loadProduct(kind: ProductKind): Promise<Product> {
  if (kind === 'sources' || process.env['SHEAF_SOURCES']) return (await import('@sheaf/server/main.ts')).parts;
  return (built ??= loadBuilt());
}

async function loadBuilt(): Promise<Product> {
  const dist = new URL('../../dist/', import.meta.url);
  const { load } = (await import(new URL('main.js', dist).href)) as {
    load(file: string): { exports: { parts: Product } };
  };
  return load(fileURLToPath(new URL('server.cjs', dist))).exports.parts;
}
