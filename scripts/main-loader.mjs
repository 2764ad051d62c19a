// Becomes dist/main.js: loads the bundle beside it, compiled ahead by V8 where the build left the result.
import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

/**
 * V8 takes compiled code for text of the same length without looking at it, so the bundle names the file that was made
 * from it. Whatever does not fit (another Node, other flags) is compiled as usual.
 */
export function load(file) {
  const text = textOf(file);
  const script = new vm.Script(Module.wrap(text), { filename: file, cachedData: compiled(file, text) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return { exports: module.exports, script };
}

/** latin1 is the fast way to read ASCII; anything else is UTF-8. */
export function textOf(file) {
  const bytes = readFileSync(file);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

export function compiledFile(file, text) {
  return `${file}.${/^\/\/ (\w+)\n/.exec(text)?.[1] ?? 'unnamed'}.compiled`;
}

function compiled(file, text) {
  try {
    return readFileSync(compiledFile(file, text));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

const bundle = fileURLToPath(new URL('./server.cjs', import.meta.url));
export const main = (args) => load(bundle).exports.main(args);
