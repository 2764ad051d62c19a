import { bracketEnd, plainAt, quoteEnd, wordAt } from './formula-scan.ts';

const bracketed = /^\[(\d+)\](?=[\p{L}_\\!'.])/u;
const quotedBook = /^'[^[\]]*\[([^[\]]+)\][^[\]]*'!/;

/** Other workbooks that a formula of a file names: by their number there, or by name. */
export function otherWorkbooks(formula: string): string[] {
  const found = new Set<string>();
  // `[0]` is the workbook itself.
  const add = (book: string): void => void (book !== '0' && found.add(book));
  for (let at = 0; at < formula.length;) {
    const char = formula[at]!;
    if (char === '"') at = quoteEnd(formula, at);
    else if (char === "'") {
      const end = quoteEnd(formula, at);
      const book = quotedBook.exec(formula.slice(at, end + 1))?.[1];
      if (book !== undefined) add(book);
      at = end;
    } else if (char === '[') {
      const book = bracketed.exec(formula.slice(at, at + 12))?.[1];
      if (book !== undefined) add(book);
      at = bracketEnd(formula, at);
    } else {
      const next = at + (wordAt(formula, at) ?? plainAt(formula, at)).length;
      // What stands in brackets behind a name is a part of a table.
      at = formula[next] === '[' && next > at && wordAt(formula, at) !== undefined ? bracketEnd(formula, next) : next;
    }
  }
  return [...found];
}

/** A formula that says `[0]!Name` means a name of its own workbook. */
export function withoutOwnBook(formula: string): string {
  return formula.includes('[0]!') ? formula.replaceAll('[0]!', '') : formula;
}
