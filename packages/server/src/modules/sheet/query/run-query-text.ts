import { invalid } from '../errors.ts';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import type { Expression } from './ast.ts';
import { parseCondition, parseQuery } from './parse.ts';
import type { QueryOptions, QueryResult } from './query-result.ts';
import { runQuery } from './run.ts';
import { QueryError } from './scanner.ts';

/** Parses and runs a query that the caller sent. Error messages name the position in the query's text. */
export function runQueryText(document: SheetDocument, text: string, options: QueryOptions): QueryResult {
  return withQueryFailures(text, options.field ?? 'query', () => runQuery(document, parseQuery(text), options));
}

export function parseConditionText(text: string, field: string): Expression {
  return withQueryFailures(text, field, () => parseCondition(text));
}

/**
 * Runs `work` on a query's text. Converts a QueryError to an error for the caller, whose message names the input field
 * (`field`) and the position in `text`.
 */
export function withQueryFailures<Result>(text: string, field: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // The call stack overflowed because the expression is nested too deeply. The possible depth depends on the machine.
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw invalid(`${field}: is nested too deeply to be computed; use shorter expressions`);
    if (!(error instanceof QueryError)) throw error;
    const where =
      error.at === undefined ? '' : ` at ${error.at + 1}: ${JSON.stringify(text.slice(error.at, error.at + 30))}`;
    throw invalid(`${field}: ${error.message}${where}`);
  }
}
