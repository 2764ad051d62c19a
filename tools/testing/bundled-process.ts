/**
 * Runs a TypeScript file as a separate process, for tests that kill it.
 *
 *   const program = await bundleProgram('packages/server/test/adapters/crash/writer.ts');
 *   const child = program.start(['argument']);
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { bundleModule } from '../bundle-module.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Program {
  /** Path of the bundle, for tests that start the process themselves. */
  readonly path: string;
  start(args: readonly string[]): ChildProcessByStdio<null, Readable, null>;
}

export async function bundleProgram(entry: string): Promise<Program> {
  const folder = await temporaryFolder();
  const outfile = join(folder, 'program.mjs');
  // Link node_modules, because the bundle does not contain the packages it imports.
  await symlink(resolve(root, 'node_modules'), join(folder, 'node_modules'));
  await bundleModule(resolve(root, entry), outfile);
  return {
    path: outfile,
    start: (args) => spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }),
  };
}

export function waitForExit(child: ChildProcessByStdio<null, Readable, null>): Promise<NodeJS.Signals | number | null> {
  return new Promise((done) => child.once('close', (code, signal) => done(signal ?? code)));
}
