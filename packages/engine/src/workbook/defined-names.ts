import { parseCell } from '../base/address.ts';
import { isRef } from '../formula/token.ts';
import type { RefPart } from '../formula/reference.ts';
import type { Template, Templates } from '../formula/formula-template.ts';

const validName = /^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u;

/**
 * Defined names of the workbook and of its sub-sheets. Relative references in a definition are stored as seen from cell
 * A1.
 */
export class DefinedNames {
  readonly #host: { readonly templates: Templates };
  readonly #definitions = new Map<string, { name: string; sheet: number | undefined; template: Template }>();

  constructor(host: { readonly templates: Templates }) {
    this.#host = host;
  }

  #key(name: string, sheet: number | undefined): string {
    return `${sheet ?? ''}!${name.toUpperCase()}`;
  }

  define(name: string, text: string, sheet?: number): void {
    if (!validName.test(name))
      throw new RangeError(`name: '${name}' must begin with a letter and hold only letters, digits, '.' and '_'`);
    if (parseCell(name)) throw new RangeError(`name: '${name}' is the address of a cell`);
    const template = this.#host.templates.of(text, 0, 0);
    this.#definitions.set(this.#key(name, sheet), { name, sheet, template });
  }

  remove(name: string, sheet?: number): void {
    if (!this.#definitions.delete(this.#key(name, sheet))) throw new RangeError(`name: there is no name '${name}'`);
  }

  get(name: string, sheet: number): Template | undefined {
    return (this.#definitions.get(this.#key(name, sheet)) ?? this.#definitions.get(this.#key(name, undefined)))
      ?.template;
  }

  list(): { name: string; sheet: number | undefined; template: Template }[] {
    return [...this.#definitions.values()];
  }

  /** Returns `name` and all defined names whose definitions use it, directly or indirectly, in upper case. */
  usersOf(name: string): Set<string> {
    const users = new Set([name.toUpperCase()]);
    for (let before = 0; before !== users.size;) {
      before = users.size;
      for (const { name: other, template } of this.#definitions.values()) {
        if (template.names.some((one) => users.has(one))) users.add(other.toUpperCase());
      }
    }
    return users;
  }

  /** Replaces each reference in all definitions by the result of `change`. Returns whether a definition changed. */
  rewrite(change: (ref: RefPart) => RefPart): boolean {
    let any = false;
    for (const definition of this.#definitions.values()) {
      const { template } = definition;
      let changed = false;
      const parts = template.pattern.parts.map((part) => {
        if (!isRef(part)) return part;
        const next = change(part);
        if (next !== part) changed = true;
        return next;
      });
      if (!changed) continue;
      const { templates } = this.#host;
      definition.template = templates.with(
        templates.patternOf(parts, 0, 0, template.mode),
        template.constants,
        template.texts,
      );
      any = true;
    }
    return any;
  }
}
