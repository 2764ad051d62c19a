import { fail } from '../../operation/errors.ts';
import type { SheetDocument } from '../engine/document.ts';
import type { Expression, Query } from './ast.ts';
import { parseCondition, parseQuery } from './parse.ts';
import { runQuery, type QueryResult, type RunOptions } from './run.ts';
import { QueryError } from './scanner.ts';

/** The answer to a question as a caller wrote it; what is wrong with it is told with its place. */
export function answered(document: SheetDocument, text: string, options: RunOptions): QueryResult {
  return telling(text, options.field ?? 'query', () => runQuery(document, parseQuery(text), options));
}

export function conditionIn(text: string, field: string): Expression {
  return telling(text, field, () => parseCondition(text));
}

/** Runs it for a query that was put together. */
export function answeredQuery(document: SheetDocument, query: Query, text: string, options: RunOptions): QueryResult {
  return telling(text, options.field ?? 'query', () => runQuery(document, query, options));
}

function telling<Result>(text: string, field: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const where =
      error.at === undefined ? '' : ` at ${error.at + 1}: ${JSON.stringify(text.slice(error.at, error.at + 30))}`;
    throw fail('invalid_parameter', `${field}: ${error.message}${where}`);
  }
}
