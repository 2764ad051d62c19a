import type { Param } from './database.ts';

/** An SQL text with `?` placeholders, and their values. */
export interface Statement {
  readonly text: string;
  readonly params: readonly Param[];
}

/** Returns a statement unchanged, or creates one from a text and its values. */
export function toStatement(statement: Statement | string, params: readonly Param[]): Statement {
  return typeof statement === 'string' ? { text: statement, params } : statement;
}

const texts = new WeakMap<TemplateStringsArray, string>();

/**
 * Creates a statement from a template. Values become parameters and never part of the text. Nested statements, made by
 * `raw` or passed by `queryInChunks`, become part of the text.
 */
export function sql(parts: TemplateStringsArray, ...values: (Param | Statement)[]): Statement {
  if (values.some(isStatement)) return join(parts, values);
  let text = texts.get(parts);
  if (text === undefined) {
    text = parts.join('?');
    texts.set(parts, text);
  }
  return { text, params: values as Param[] };
}

function join(parts: TemplateStringsArray, values: readonly (Param | Statement)[]): Statement {
  const params: Param[] = [];
  let text = parts[0]!;
  for (const [index, value] of values.entries()) {
    if (isStatement(value)) params.push(...value.params);
    else params.push(value);
    text += (isStatement(value) ? value.text : '?') + parts[index + 1]!;
  }
  return { text, params };
}

function isStatement(value: Param | Statement): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value;
}

/**
 * Creates a constant part of a statement, such as column names, a condition or a table name. Never pass user input,
 * because the text is not escaped.
 */
export function raw(text: string | number): Statement {
  return { text: String(text), params: [] };
}

export function joined(statements: readonly Statement[]): Statement {
  return { text: statements.map(({ text }) => text).join(', '), params: statements.flatMap(({ params }) => params) };
}

/** Lengths to which lists of SQL parameters are padded, so that few different statement texts need to be prepared. */
const listLengths = [1, 8, 64, 500];
/**
 * Chunk length while at least this many values remain. Fewer values are divided into chunks of up to 500 instead,
 * because padding them to this length would be wasteful.
 */
const longList = 2000;

const placeholders = new Map(
  [...listLengths, longList].map((length) => [length, Array<string>(length).fill('?').join(', ')]),
);

/** Runs a query over a list of values in chunks. `query` gets each chunk as a list for `IN (...)`. */
export async function queryInChunks<Row>(
  values: readonly (string | number)[],
  query: (list: Statement) => Promise<Row[] | void>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < values.length;) {
    const chunk = values.slice(from, from + (values.length - from >= longList ? longList : listLengths.at(-1)!));
    from += chunk.length;
    const length = listLengths.find((each) => each >= chunk.length) ?? longList;
    const padding = Array<string | number>(length - chunk.length).fill(chunk[0]!);
    const found = await query({ text: placeholders.get(length)!, params: [...chunk, ...padding] });
    for (const row of found ?? []) rows.push(row);
  }
  return rows;
}

/** Returns the values in the order in which their ids occur in `ids`. Ids without a value are left out. */
export function inOrderOf<Value extends { readonly id: string }>(
  ids: readonly string[],
  values: readonly Value[],
): Value[] {
  const byId = new Map(values.map((value) => [value.id, value]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
