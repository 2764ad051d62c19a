// Bundles declaration files into one that contains only the exports of an entry and the declarations they refer to.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readModule } from './declarations.mjs';

/**
 * Bundles an entry, a .d.ts file written by tsc from sources with imports such as './name.ts'. `mayImport` tells which
 * packages the result may refer to; other packages are not installed for users.
 */
export function rollUp(entry, mayImport = () => false) {
  const modules = new Map();
  const moduleAt = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(readFileSync(file, 'utf8'), file));
    return modules.get(file);
  };
  const resolver = new Resolver(moduleAt);
  const exported = resolver.exportsOf(entry);
  const { kept, globals, packages } = reachable(
    [...exported.values()].map(({ declaration }) => declaration),
    resolver,
  );
  for (const [name, users] of packages) {
    if (!mayImport(name))
      throw new Error(
        `the types of ${users.join(', ')} are public and name the package ${name}, which installers do not get`,
      );
  }
  const names = chooseNames(exported, kept, globals);
  const lines = [...kept.values()]
    .filter((declaration) => declaration.package === undefined)
    .map((declaration) => write(declaration, names, resolver));
  return `${[...importLines(kept, names), ...lines, exportLine(exported, names)].join('\n')}\n`;
}

/** Follows imports and re-exports to a name's declaration, or to the package it comes from. */
class Resolver {
  #moduleAt;
  #declarations = new Map();

  constructor(moduleAt) {
    this.#moduleAt = moduleAt;
  }

  /**
   * Returns the exports of a file, including re-exports: for each exported name, its declaration and whether it is
   * exported only as a type.
   */
  exportsOf(file, seen = new Set()) {
    const found = new Map();
    if (seen.has(file)) return found;
    seen.add(file);
    const module = this.#moduleAt(file);
    for (const source of module.stars) {
      for (const [name, one] of this.exportsOf(pathOf(source, file), seen)) found.set(name, one);
    }
    for (const name of module.exports.keys()) found.set(name, this.#exported(file, name));
    return found;
  }

  #exported(file, name, seen = new Set()) {
    if (seen.has(file)) return undefined;
    seen.add(file);
    const module = this.#moduleAt(file);
    const target = module.exports.get(name);
    if (!target)
      return module.stars
        .map((source) => this.#exported(pathOf(source, file), name, seen))
        .find((found) => found !== undefined);
    const { declaration, isType } =
      target.source === undefined ? { declaration: this.local(file, target.name) } : this.#imported(target, file);
    return { declaration, isType: isType || target.isType };
  }

  /** Returns the declaration that a reference in a file refers to; undefined for a global. */
  target(file, { name, source }) {
    return source === undefined ? this.local(file, name) : this.#imported({ source, name }, file).declaration;
  }

  local(file, name) {
    const module = this.#moduleAt(file);
    const imported = module.imports.get(name);
    if (imported) return this.#imported(imported, file).declaration;
    const statements = module.declarations.get(name);
    if (!statements) return undefined;
    const key = `${file}#${name}`;
    if (!this.#declarations.has(key)) this.#declarations.set(key, { key, file, name, statements, text: module.text });
    return this.#declarations.get(key);
  }

  #imported({ source, name }, file) {
    if (!source.startsWith('.')) return { declaration: this.#foreign(source, name), isType: true };
    const found = this.#exported(pathOf(source, file), name);
    if (!found) throw new Error(`${file}: ${source} exports no ${name}`);
    return found;
  }

  #foreign(source, name) {
    const key = `${source}#${name}`;
    if (!this.#declarations.has(key)) this.#declarations.set(key, { key, package: source, name });
    return this.#declarations.get(key);
  }
}

function pathOf(source, file) {
  return resolve(dirname(file), source.replace(/\.(ts|js)$/, '.d.ts'));
}

function reachable(roots, resolver) {
  const kept = new Map();
  const globals = new Set();
  const packages = new Map();
  const waiting = [...roots];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (kept.has(next.key)) continue;
    kept.set(next.key, next);
    for (const reference of (next.statements ?? []).flatMap((statement) => statement.references)) {
      const target = resolver.target(next.file, reference);
      if (!target) globals.add(reference.name);
      else if (target.package !== undefined)
        packages.set(target.package, [...(packages.get(target.package) ?? []), next.name]);
      if (target) waiting.push(target);
    }
  }
  return { kept, globals, packages };
}

/**
 * Chooses unique names. An export keeps its name, unless the declarations also refer to a global of that name. Any
 * other declaration keeps its name if no export and no earlier declaration has it.
 */
function chooseNames(exported, kept, globals) {
  const names = new Map();
  const taken = new Set(globals);
  const take = (declaration, wanted) => {
    if (names.has(declaration.key)) return;
    let name = wanted;
    for (let turn = 2; taken.has(name); turn++) name = `${wanted}_${turn}`;
    taken.add(name);
    names.set(declaration.key, name);
  };
  for (const [name, { declaration }] of exported) take(declaration, name);
  for (const declaration of kept.values()) take(declaration, declaration.name);
  return {
    of: (declaration) => names.get(declaration.key),
    isPublic: (declaration) => isInPlace(exported, names.get(declaration.key), declaration),
  };
}

/**
 * Returns whether the declaration can be exported in place. A class exported only as a type cannot, because an in-place
 * export would let users call `new`.
 */
function isInPlace(exported, name, declaration) {
  const found = exported.get(name);
  return (
    found?.declaration === declaration &&
    declaration.package === undefined &&
    !(found.isType && declaration.statements.some(({ needsDeclare }) => needsDeclare))
  );
}

function write(declaration, names, resolver) {
  const { file, statements, text } = declaration;
  return statements
    .map((statement) => {
      const edits = statement.references.flatMap((reference) => {
        const target = resolver.target(file, reference);
        return target ? [{ ...reference, to: names.of(target) }] : [];
      });
      edits.push({ ...statement.id, to: names.of(declaration) });
      const modifiers = `${names.isPublic(declaration) ? 'export ' : ''}${statement.needsDeclare ? 'declare ' : ''}`;
      const body = edited(text, statement.start, statement.end, edits);
      return `${statement.comment}${modifiers}${statement.prefix}${body}${/[;}]$/.test(body) ? '' : ';'}`;
    })
    .join('\n');
}

function edited(text, from, until, edits) {
  let result = '';
  let at = from;
  for (const { start, end, to } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + to;
    at = end;
  }
  return result + text.slice(at, until);
}

function importLines(kept, names) {
  const foreign = [...kept.values()].filter((declaration) => declaration.package !== undefined);
  return foreign.map(
    (declaration) =>
      `import type { ${renamed(declaration.name, names.of(declaration))} } from '${declaration.package}';`,
  );
}

/** Writes the export list, even if it is empty: a declaration file without an export list exports everything. */
function exportLine(exported, names) {
  const left = [...exported].filter(
    ([name, { declaration }]) => !isInPlace(exported, name, declaration) || names.of(declaration) !== name,
  );
  const list = left.map(
    ([name, { declaration, isType }]) => `${isType ? 'type ' : ''}${renamed(names.of(declaration), name)}`,
  );
  return list.length === 0 ? 'export {};' : `export { ${list.join(', ')} };`;
}

function renamed(from, to) {
  return from === to ? from : `${from} as ${to}`;
}
