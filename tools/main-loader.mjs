// Becomes dist/main.js: loads the bundle beside it, with what V8 compiled during the build or an earlier start.
import { isAscii } from 'node:buffer';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

/**
 * V8 takes compiled code for text of the same length without looking at it, so the bundle names the file that was made
 * from it. Whatever does not fit (another Node, other flags) is compiled as usual.
 */
export function load(file) {
  const text = textOf(file);
  const { script, isCompiled } = compile(file, text);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return { exports: module.exports, script, isCompiled, text };
}

/** latin1 is the fast way to read ASCII; anything else is UTF-8. */
export function textOf(file) {
  const bytes = readFileSync(file);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Where the build leaves it. */
export function compiledFile(file, text) {
  return `${file}.${idOf(text)}.compiled`;
}

/** Where a start leaves it that found none, or none for its Node: an installed package may be nobody's to write to. */
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

/** Whoever can write there decides what runs here: nobody but us, or root. */
function isOurs(path) {
  const { uid, mode } = statSync(path);
  if (process.getuid === undefined) return true;
  return (uid === process.getuid() || uid === 0) && (mode & 0o022) === 0;
}

const forgottenMs = 30 * 24 * 60 * 60 * 1000;

/** For the next start. Nothing depends on it: where it cannot be written, the next start compiles as this one did. */
function keep(file, { script, text }) {
  try {
    const folder = cacheFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOurs(folder)) return;
    for (const name of readdirSync(folder).filter((other) => /\.compiled(\.\d+)?$/.test(other))) {
      if (Date.now() - statSync(join(folder, name)).mtimeMs > forgottenMs) rmSync(join(folder, name), { force: true });
    }
    const path = keptFile(file, text);
    // Whole or not at all: another start may read it now.
    writeFileSync(`${path}.${process.pid}`, script.createCachedData(), { mode: 0o600 });
    renameSync(`${path}.${process.pid}`, path);
  } catch (_error) {
    // See above.
  }
}

const bundle = fileURLToPath(new URL('./server.cjs', import.meta.url));

export function main(args) {
  const loaded = load(bundle);
  if (!loaded.isCompiled) keep(bundle, loaded);
  return loaded.exports.main(args);
}
