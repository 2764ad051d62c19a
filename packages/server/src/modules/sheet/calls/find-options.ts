import { invalid } from '../errors.ts';
import { BadPattern, type FindOptions, type SubSheet } from '@sheaf/engine/internal/document';

interface FindInput {
  readonly search_term: string;
  readonly start_row?: number | undefined;
  readonly start_col?: number | undefined;
  readonly end_row?: number | undefined;
  readonly end_col?: number | undefined;
  readonly match_case?: boolean | undefined;
  readonly match_entire_cell?: boolean | undefined;
  readonly use_regex?: boolean | undefined;
  readonly match_formulas?: boolean | undefined;
}

/**
 * Converts the input fields that the tools find and replace share to the engine's search options. Searches only the
 * sub-sheet `only`, or all if it is undefined.
 */
export function toFindOptions(input: FindInput, only: SubSheet | undefined): Omit<FindOptions, 'most'> {
  for (const axis of ['row', 'col'] as const)
    if ((input[`end_${axis}`] ?? Infinity) < (input[`start_${axis}`] ?? 0))
      throw invalid(`end_${axis}: must be at least start_${axis} (got ${input[`end_${axis}`]})`);
  return {
    term: input.search_term,
    sheets: only && [only],
    within: { top: input.start_row, left: input.start_col, bottom: input.end_row, right: input.end_col },
    matchCase: input.match_case,
    entireCell: input.match_entire_cell,
    regex: input.use_regex,
    formulas: input.match_formulas,
  };
}

/** Runs `work`. Converts the engine's error about an invalid pattern to an error about the field search_term. */
export function withPatternFailures<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadPattern) throw invalid(`search_term: is not a valid RE2 pattern: ${error.message}`);
    throw error;
  }
}
