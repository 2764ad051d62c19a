import { head, relationships, xmlEscape } from './xml-text.ts';

/** Relationships of a part, with generated ids. */
export class Relations {
  readonly #items: string[] = [];
  readonly #byTarget = new Map<string, string>();

  to(kind: string, target: string): string {
    return this.typed(`${relationships}/${kind}`, target, false);
  }

  external(kind: string, target: string): string {
    return this.typed(`${relationships}/${kind}`, target, true);
  }

  /** Adds a relationship by its full type URI. */
  typed(type: string, target: string, isExternal: boolean): string {
    const key = `${type}\n${target}`;
    const known = this.#byTarget.get(key);
    if (known) return known;
    const id = `rId${this.#items.length + 1}`;
    this.given(id, type, target, isExternal);
    this.#byTarget.set(key, id);
    return id;
  }

  /** Adds a relationship with the id that a passed-through part uses; such parts have no generated ids. */
  given(id: string, type: string, target: string, isExternal: boolean): void {
    const mode = isExternal ? ' TargetMode="External"' : '';
    this.#items.push(
      `<Relationship Id="${xmlEscape(id)}" Type="${xmlEscape(type)}" Target="${xmlEscape(target)}"${mode}/>`,
    );
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  xml(): string {
    return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${this.#items.join('')}</Relationships>`;
  }
}
