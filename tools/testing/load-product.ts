/**
 * Loads the built product once per process, with the product's own loader. A test that passes its own modules runs the
 * sources instead; SHEAF_SOURCES=1 selects the sources for all tests.
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
