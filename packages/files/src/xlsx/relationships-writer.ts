import { xmlDeclaration, relationshipsNamespace, xmlEscape } from './xml-escape.ts';

/** Collects the relationships of one part of an OOXML file and assigns their ids. */
export class RelationshipsWriter {
  readonly #items: string[] = [];
  readonly #byTarget = new Map<string, string>();

  add(kind: string, target: string): string {
    return this.addTyped(`${relationshipsNamespace}/${kind}`, target, false);
  }

  addExternal(kind: string, target: string): string {
    return this.addTyped(`${relationshipsNamespace}/${kind}`, target, true);
  }

  /**
   * Adds a relationship by its full type URI and returns its id. If one with the same type and target exists, returns
   * its id instead.
   */
  addTyped(type: string, target: string, isExternal: boolean): string {
    const key = `${type}\n${target}`;
    const known = this.#byTarget.get(key);
    if (known) return known;
    const id = `rId${this.#items.length + 1}`;
    this.addWithId(id, type, target, isExternal);
    this.#byTarget.set(key, id);
    return id;
  }

  /** Adds a relationship with a given id, which the stored XML of an imported part already refers to. */
  addWithId(id: string, type: string, target: string, isExternal: boolean): void {
    const mode = isExternal && !target.startsWith('#') ? ' TargetMode="External"' : '';
    this.#items.push(
      `<Relationship Id="${xmlEscape(id)}" Type="${xmlEscape(type)}" Target="${xmlEscape(target)}"${mode}/>`,
    );
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  xml(): string {
    return `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${this.#items.join('')}</Relationships>`;
  }
}
