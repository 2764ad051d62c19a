import type { KeptFormulas, SheetDocument, SheetNames, SubSheet, Template } from '@sheaf/engine/internal/document';
import { createDefinedNameTest, namesForFileFormulas } from './names-for-file-formulas.ts';
import { toFileSyntax } from './formula-file-syntax.ts';

const maxSpellings = 10_000;
/** Separates a formula's attributes from its text in a stored spelling. XML cannot contain this character. */
const flagsEnd = '\u0001';

/**
 * Collects formulas that the imported file spells differently than the export would, such as with other spaces or
 * letter case, so that the export can keep that spelling. Cells that share a template (the same formula relative to the
 * cell) are compared only until one of them has the spelling of the export.
 */
export class FormulaSpellings {
  readonly #names: SheetNames;
  readonly #isDefined: (name: string) => boolean;
  readonly #same = new Set<Template>();
  readonly #texts = new Map<string, string>();

  constructor(document: SheetDocument, sub: SubSheet) {
    this.#names = namesForFileFormulas(document);
    this.#isDefined = createDefinedNameTest(document, sub);
  }

  /**
   * Compares the formula of one cell with the text that the export would write, and stores a different spelling. `text`
   * is undefined if the cell refers to a shared formula of another cell.
   */
  add(template: Template, row: number, col: number, text: string | undefined, flags: string): void {
    if ((flags === '' && this.#same.has(template)) || this.#texts.size >= maxSpellings) return;
    const written = toFileSyntax(template.text(row, col, this.#names), template.pattern.variables, this.#isDefined);
    const isSpelled =
      text !== undefined &&
      written !== text &&
      (normalizeFormula(written) === normalizeFormula(text) ||
        normalizeFormula(withoutTables(written)) === normalizeFormula(text));
    if (isSpelled || flags !== '') this.#texts.set(written, `${flags}${flagsEnd}${isSpelled ? text : written}`);
    else if (written === text) this.#same.add(template);
  }

  kept({ id, name }: SubSheet): KeptFormulas | undefined {
    return this.#texts.size === 0 ? undefined : { sheet: id, name, texts: [...this.#texts].flat() };
  }
}

/**
 * Removes the table names before brackets. A file omits them in formulas inside the table, so such formulas are
 * compared without them.
 */
function withoutTables(text: string): string {
  return text.replaceAll(/[\p{L}_\\][\p{L}\p{N}_.\\]*(?=\[)/gu, '');
}

/**
 * Removes spaces, letter case and other differences between spellings of the same formula, so that spellings can be
 * compared.
 */
export function normalizeFormula(text: string): string {
  return text
    .replaceAll(/\s+|'|_xlfn\.|_xlws\.|_xlpm\.|_xleta\./gi, '')
    .replace(/^\((.*)\)$/s, '$1')
    .replaceAll(/\[\[([^\][]*)\]:\[\1\]\]/g, '[$1]')
    .toUpperCase();
}

/** A formula as the imported file spells it: the attributes of its XML element (`flags`) and its text. */
export interface FormulaSpelling {
  readonly flags: string;
  readonly text: string;
}

/**
 * Returns the file's spelling of a sub-sheet's formulas, keyed by the formula text that the export would otherwise
 * write.
 */
export function spellingsOf({ kept }: SheetDocument, sub: SubSheet): ReadonlyMap<string, FormulaSpelling> {
  const found = kept?.formulas?.find(({ sheet, name }) => sheet === sub.id && name === sub.name);
  const texts = found?.texts ?? [];
  return new Map(
    texts.flatMap((written, i) => {
      const [flags = '', text = ''] = texts[i + 1]?.split(flagsEnd) ?? [];
      return i % 2 === 0 ? [[written, { flags, text }] as const] : [];
    }),
  );
}
