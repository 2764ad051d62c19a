import { bracketEnd, tokenAt, quoteEnd, identifierAt } from './formula-lexer.ts';

const bracketed = /^\[(\d+)\](?=[\p{L}_\\!'.])/u;
const quotedBook = /^'[^[\]]*\[([^[\]]+)\][^[\]]*'!/;

/**
 * Returns the external workbooks that a formula refers to. In the syntax of a file they are numbers (`1` in
 * `[1]Sheet1!A1`), otherwise names.
 */
export function externalWorkbooksIn(formula: string): string[] {
  const found = new Set<string>();
  // Skip `[0]`, which refers to the workbook that contains the formula.
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
      const next = at + (identifierAt(formula, at) ?? tokenAt(formula, at)).length;
      // A bracket after a name belongs to a structured reference (such as `Table1[Price]`), not to an external
      // workbook.
      at =
        formula[next] === '[' && next > at && identifierAt(formula, at) !== undefined
          ? bracketEnd(formula, next)
          : next;
    }
  }
  return [...found];
}

/** Removes the prefix `[0]!`, which refers to the workbook that contains the formula. */
export function stripOwnWorkbook(formula: string): string {
  return formula.includes('[0]!') ? formula.replaceAll('[0]!', '') : formula;
}
