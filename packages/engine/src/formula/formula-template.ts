import type { Value } from '../base/values.ts';
import type { Evaluation } from './evaluation-context.ts';
import { isRef, type PatternPart } from './token.ts';
import { copiesEnd, isCopy, fillPatternOf, type FillPattern } from './filled-formula-matcher.ts';
import { matchKnownFormula } from './match-known-formula.ts';
import { modeKey, sameMode, type Mode } from './array-evaluation-mode.ts';
import { parseFormula } from './parser.ts';
import { Pattern } from './formula-pattern.ts';
import { isTable, printTable, tableKey } from './table-reference.ts';
import { printRef, refKey, resolveRef, type RefPart, type SheetNames } from './reference.ts';

/**
 * The formula of a cell: a shared `Pattern` combined with the constants of this formula. Formula cells store the
 * template's id.
 */
export class Template {
  readonly id: number;
  readonly pattern: Pattern;
  readonly constants: readonly (number | string)[];
  /** The constants as written in the formula. */
  readonly texts: readonly string[];

  constructor(id: number, pattern: Pattern, constants: readonly (number | string)[], texts: readonly string[]) {
    this.id = id;
    this.pattern = pattern;
    this.constants = constants;
    this.texts = texts;
  }

  get lift(): boolean {
    return this.pattern.lift;
  }

  get mode(): Mode {
    return this.pattern.mode;
  }

  get refs(): readonly RefPart[] {
    return this.pattern.refs;
  }

  get names(): readonly string[] {
    return this.pattern.names;
  }

  evaluate(ev: Evaluation): Value {
    const kept = ev.constants;
    ev.constants = this.constants;
    try {
      return this.pattern.run(ev);
    } finally {
      ev.constants = kept;
    }
  }

  /** Returns the text of the formula in a given cell, with its `=`. */
  text(row: number, col: number, names: SheetNames): string {
    return print(this.pattern.parts, this.texts, row, col, names);
  }
}

function print(
  parts: readonly PatternPart[],
  texts: readonly string[],
  row: number,
  col: number,
  names: SheetNames,
): string {
  let out = '=';
  let hole = 0;
  for (const part of parts) {
    if (typeof part === 'string') out += part;
    else if (isRef(part)) out += printRef(part, row, col, names);
    else out += isTable(part) ? printTable(part, names) : (texts[hole++] ?? '0');
  }
  return out;
}

/** A formula, and the pattern by which its copies in the same column are recognized. */
interface Recent {
  readonly template: Template;
  readonly fillPattern: FillPattern | undefined;
}

/**
 * The parsed formulas (templates) of a workbook, by id. Cells share a template if their formulas have the same
 * constants and, relative to the cell, the same references. Ids start at 1.
 */
export class Templates {
  readonly #patterns = new Map<string, Pattern>();
  readonly #byId: (Template | undefined)[] = [undefined];
  readonly #names: SheetNames;
  /** The last formula parsed in each column. Filled-down copies of it are recognized without parsing. */
  readonly #recent: (Recent | undefined)[] = [];
  #patternCount = 0;
  #free: number[] = [];
  /** `size` is the current number of templates, and `retained` is their number after the last `sweep`. */
  size = 0;
  retained = 0;

  constructor(names: SheetNames) {
    this.#names = names;
  }

  get(id: number): Template | undefined {
    return this.#byId[id];
  }

  /**
   * Returns the template for a formula text in a given cell. Throws FormulaSyntaxError if the text cannot be parsed.
   */
  of(text: string, row: number, col: number, mode: Mode = true): Template {
    const recent = this.#recent[col];
    if (recent && sameMode(recent.template.pattern.mode, mode)) {
      const { template, fillPattern } = recent;
      if (fillPattern && isCopy(fillPattern, text, row)) return template;
      const found = matchKnownFormula(template.pattern.parts, template, text, row, col);
      if (found === template) return template;
      if (found) return this.with(template.pattern, found.constants, found.texts);
    }
    const template = this.#read(text, row, col, mode, this.#names);
    this.#recent[col] = { template, fillPattern: fillPatternOf(template.pattern.parts, template.texts, col) };
    return template;
  }

  /**
   * Returns the index of the first input row in `[from, to)` whose formula is not a copy of `template`; `to` if all are
   * copies. `place.index` is the column in the input. Returns `from` unless `template` belongs to the last formula that
   * `of` parsed in the sheet column `place.col`.
   */
  copiesEnd(
    rows: readonly (readonly unknown[])[],
    place: { readonly row: number; readonly col: number; readonly index: number },
    from: number,
    to: number,
    template: Template,
  ): number {
    const recent = this.#recent[place.col];
    if (!recent?.fillPattern || recent.template !== template) return from;
    return copiesEnd(recent.fillPattern, rows, place.index, from, to, place.row);
  }

  #read(text: string, row: number, col: number, mode: Mode, names: SheetNames): Template {
    const { ast, parts, constants, texts } = parseFormula(text, row, col, names);
    const key = keyOf(parts, mode);
    let pattern = this.#patterns.get(key);
    if (!pattern) {
      pattern = new Pattern(this.#patternCount++, ast, parts, mode);
      this.#patterns.set(key, pattern);
    }
    return this.with(pattern, constants, texts);
  }

  /** Returns the template of a formula with this pattern and these constants; creates it if there is none yet. */
  with(pattern: Pattern, constants: readonly (number | string)[], texts: readonly string[]): Template {
    const key = texts.length === 1 ? (texts[0] as string) : texts.join('\u0001');
    let template = pattern.templates.get(key);
    if (!template) {
      template = new Template(this.#free.pop() ?? this.#byId.length, pattern, constants, texts);
      this.#byId[template.id] = template;
      this.size++;
      pattern.templates.set(key, template);
    }
    return template;
  }

  get highest(): number {
    return this.#byId.length - 1;
  }

  /** Removes every template for whose id `used` returns false. Removed ids may be reused. */
  sweep(used: (id: number) => boolean): void {
    this.#recent.length = 0;
    this.#free = [];
    this.size = 0;
    for (let id = this.#byId.length - 1; id > 0; id--) {
      if (used(id) && this.#byId[id]) this.size++;
      else {
        this.#byId[id] = undefined;
        this.#free.push(id);
      }
    }
    for (const [key, pattern] of this.#patterns) {
      for (const [texts, template] of pattern.templates)
        if (this.#byId[template.id] !== template) pattern.templates.delete(texts);
      if (pattern.templates.size === 0) this.#patterns.delete(key);
    }
    this.retained = this.size;
  }

  /**
   * Returns the formula pattern that consists of these parts. If it is new, the parts are written out as a formula of
   * the cell `row`, `col` and parsed, so their references must stay within the grid as seen from that cell.
   */
  patternOf(parts: readonly PatternPart[], row: number, col: number, mode: Mode): Pattern {
    const known = this.#patterns.get(keyOf(parts, mode));
    if (known) return known;
    const filler = parts
      .filter((part) => typeof part !== 'string' && 'hole' in part)
      .map((part) => (typeof part !== 'string' && 'hole' in part && part.hole === 'text' ? '""' : '0'));
    const names = withStoredTables(this.#names);
    return this.#read(print(parts, filler, row, col, names), row, col, mode, names).pattern;
  }

  /**
   * Returns the template of a formula copied to cell `row`, `col`: relative references move along. The formula is
   * parsed again if a reference leaves the grid or its corners change places.
   */
  moved(template: Template, row: number, col: number): Template {
    for (const ref of template.refs) {
      if (ref.shape === 'lost') continue;
      const rect = resolveRef(ref, row, col);
      if (!rect || rect.top > rect.bottom || rect.left > rect.right) {
        const names = withStoredTables(this.#names);
        return this.#read(template.text(row, col, names), row, col, template.mode, names);
      }
    }
    return template;
  }
}

/**
 * Returns the name lookup for parsing a formula again without changing its meaning. The formula's text must refer to
 * tables by id; with this lookup, names of tables are not recognized, so no other text can become a table reference.
 */
function withStoredTables(names: SheetNames): SheetNames {
  return { sheetName: (id) => names.sheetName(id), sheetId: (name) => names.sheetId(name), tableForm: 'stored' };
}

function keyOf(parts: readonly PatternPart[], mode: Mode): string {
  let key = modeKey(mode);
  for (const part of parts) {
    if (typeof part === 'string') key += part;
    else if (isTable(part)) key += tableKey(part);
    else key += isRef(part) ? `\u0001${refKey(part)}\u0002` : part.hole === 'number' ? '\u0003' : '\u0004';
  }
  return key;
}
