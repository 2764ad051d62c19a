import { head, relationships, xmlEscape } from './xml-text.ts';

/** What a part of the file refers to, by ids of its own. */
export class Relations {
  readonly #items: string[] = [];
  readonly #byTarget = new Map<string, string>();

  to(kind: string, target: string): string {
    return this.#add(kind, target, '');
  }

  external(kind: string, target: string): string {
    return this.#add(kind, target, ' TargetMode="External"');
  }

  #add(kind: string, target: string, mode: string): string {
    const key = `${kind}\n${target}`;
    const known = this.#byTarget.get(key);
    if (known) return known;
    const id = `rId${this.#items.length + 1}`;
    this.#items.push(`<Relationship Id="${id}" Type="${relationships}/${kind}" Target="${xmlEscape(target)}"${mode}/>`);
    this.#byTarget.set(key, id);
    return id;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  xml(): string {
    return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${this.#items.join('')}</Relationships>`;
  }
}
