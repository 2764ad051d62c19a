// Source of dist/main.js: loads the adjacent bundle with the V8 code cache written by the build or by an earlier start.
import { isAscii } from 'node:buffer';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

/**
 * Loads a bundle with its code cache. V8 accepts a cache for any text of the same length, so the cache's file name
 * contains an id of the bundle. A cache that V8 rejects (other Node version or flags) is ignored.
 */
export function load(file) {
  const text = textOf(file);
  const { script, isCompiled } = compile(file, text);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return { exports: module.exports, script, isCompiled, text };
}

/** Reads an ASCII file as Latin-1, which is faster, and other files as UTF-8. */
export function textOf(file) {
  const bytes = readFileSync(file);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Returns the path of the code cache that the build writes. */
export function compiledFile(file, text) {
  return `${file}.${idOf(text)}.compiled`;
}

/**
 * Returns the path of the code cache that a start writes if there is none for its Node version. It is in the user's
 * cache folder, because an installed package may be read-only.
 */
function keptFile(file, text) {
  return join(cacheFolder(), `${basename(file)}.${idOf(text)}.${process.version}-${process.arch}.compiled`);
}

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sheaf');
}

function idOf(text) {
  return /^\/\/ (\w+)\n/.exec(text)?.[1] ?? 'unnamed';
}

function compile(filename, text) {
  const wrapped = Module.wrap(text);
  for (const read of [() => fromBuild(filename, text), () => fromEarlierStart(filename, text)]) {
    const cachedData = read();
    if (!cachedData) continue;
    const script = new vm.Script(wrapped, { filename, cachedData });
    if (!script.cachedDataRejected) return { script, isCompiled: true };
  }
  return { script: new vm.Script(wrapped, { filename }), isCompiled: false };
}

function fromBuild(file, text) {
  try {
    return readFileSync(compiledFile(file, text));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

function fromEarlierStart(file, text) {
  try {
    const path = keptFile(file, text);
    return isOurs(cacheFolder()) && isOurs(path) ? readFileSync(path) : undefined;
  } catch (_error) {
    return undefined;
  }
}

/**
 * Returns whether only this user or root can write the path. Anyone who can write the code cache can run code as this
 * user.
 */
function isOurs(path) {
  const { uid, mode } = statSync(path);
  if (process.getuid === undefined) return true;
  return (uid === process.getuid() || uid === 0) && (mode & 0o022) === 0;
}

const forgottenMs = 30 * 24 * 60 * 60 * 1000;

/** Writes the code cache for the next start. Errors are ignored, because the cache is optional. */
function keep(file, { script, text }) {
  try {
    const folder = cacheFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOurs(folder)) return;
    for (const name of readdirSync(folder).filter((other) => /\.compiled(\.\d+)?$/.test(other))) {
      if (Date.now() - statSync(join(folder, name)).mtimeMs > forgottenMs) rmSync(join(folder, name), { force: true });
    }
    const path = keptFile(file, text);
    // Write to a temporary name and rename, because another start may be reading the file.
    writeFileSync(`${path}.${process.pid}`, script.createCachedData(), { mode: 0o600 });
    renameSync(`${path}.${process.pid}`, path);
  } catch (_error) {
    // Ignore errors, because the cache is optional.
  }
}

const bundle = fileURLToPath(new URL('./server.cjs', import.meta.url));

export function main(args) {
  const loaded = load(bundle);
  if (!loaded.isCompiled) keep(bundle, loaded);
  return loaded.exports.main(args);
}
