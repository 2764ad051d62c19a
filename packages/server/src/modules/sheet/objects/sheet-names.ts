import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';

/** Matches characters that are ambiguous in formulas and that all spreadsheet programs forbid in sheet names. */
const forbidden = /[:\\/?*[\]]/;

/**
 * Returns the name. Throws if it is empty, if formulas could not contain it, or if another sub-sheet has the same name.
 * `self` is the sub-sheet that is being renamed, if any.
 */
export function checkSheetName(document: SheetDocument, name: string, self?: SubSheet): string {
  if (name.trim() === '') throw invalid('name: must not be empty');
  const bad = forbidden.exec(name)?.[0];
  if (bad) throw invalid(`name: must not contain ${bad} (got ${JSON.stringify(name)})`);
  if (/\p{Cc}/u.test(name)) throw invalid(`name: must not contain control characters (got ${JSON.stringify(name)})`);
  if (name.startsWith("'") || name.endsWith("'"))
    throw invalid(`name: must not begin or end with an apostrophe (got ${JSON.stringify(name)})`);
  const taken = document.byName(name);
  if (taken && taken !== self)
    throw fail('conflict', `name: a sub-sheet named ${JSON.stringify(taken.name)} already exists`);
  return name;
}

/** Returns the first free name of base1, base2, ..., starting at the number of sub-sheets plus one. */
export function findFreeSheetName(document: SheetDocument, base: string): string {
  for (let number = document.subSheets.length + 1; ; number++) {
    const name = `${base}${number}`;
    if (!document.byName(name)) return name;
  }
}
