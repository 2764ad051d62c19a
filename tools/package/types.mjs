// Builds the declaration files of the package, one for each entry: dist/engine.d.ts and dist/client.d.ts.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { published } from '../external-packages.mjs';
import { root } from '../root-folder.mjs';
import { loadRegistry } from '../operation-registry.mjs';
import { rollUp } from './roll-up.mjs';

/** Returns the declaration texts by entry name. */
export async function makeTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-types-'));
  try {
    const client = join(folder, 'client');
    await writeClientSources(client);
    const sources = { engine: join(root, 'packages', 'engine', 'src'), client };
    return Object.fromEntries(
      Object.entries(sources).map(([name, source]) => {
        const out = join(folder, `${name}-declarations`);
        emitDeclarations(source, out);
        return [name, rollUp(join(out, 'index.d.ts'), (used) => published.includes(used))];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the client's sources into the folder. The types of the operations, which the sources derive from the operation
 * registry, are replaced by a generated file.
 */
async function writeClientSources(folder) {
  const { modules, generateClientOperations } = await loadRegistry();
  cpSync(join(root, 'packages', 'client', 'src'), folder, { recursive: true });
  writeFileSync(join(folder, 'operations.ts'), generateClientOperations(Object.values(modules)));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

function emitDeclarations(source, out) {
  const typeRoots = [join(root, 'node_modules', '@types')];
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    typeRoots,
    rootDir: source,
    outDir: out,
  };
  const config = `${out}.json`;
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions,
      include: [],
      files: [join(source, 'index.ts')],
    }),
  );
  const packageFile = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(packageFile), JSON.parse(readFileSync(packageFile, 'utf8')).bin.tsc);
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the types of ${source} cannot be written:\n${stdout}`);
}
