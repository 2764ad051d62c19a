import type { Param } from './database.ts';
import type { Statement } from './statement.ts';

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

type Stored<Value> = Value extends boolean ? number : Value extends Param ? Value : string;

/** Type of an entity's row: columns in snake case, flags as 0 or 1, lists and objects as text. */
export type Row<Entity> = { [Field in keyof Entity & string as SnakeCase<Field>]: Stored<Entity[Field]> };

type Columns<List extends string> = List extends `${infer First}, ${infer Rest}` ? First | Columns<Rest> : List;

/**
 * The type `List`, if its columns and the computed fields cover every field of the entity; otherwise `never`, so that
 * the compiler reports a missing column.
 */
type Complete<Entity, List extends string, Computed> =
  SnakeCase<Exclude<keyof Entity, keyof Computed> & string> extends Columns<List> ? List : never;

/**
 * Returns a function that maps rows to entities, for example the column `created_at` to the field `createdAt`. Fields
 * that are stored in a different form are computed from the row. The returned function is slower than an object literal
 * and should not be used for large numbers of rows.
 */
export function rowMapper<Entity>() {
  return <
    const List extends string,
    Computed extends { [Field in keyof Entity]?: (row: never) => Entity[Field] } = Record<never, never>,
  >(
    columns: List & Complete<Entity, List, Computed>,
    computed: Computed = {} as Computed,
  ): ((row: object) => Entity) => {
    const fields = columns.split(', ').map((column) => [toCamelCase(column), column] as const);
    const others = Object.entries(computed) as [string, (row: object) => unknown][];
    return (row) => {
      const entity: Record<string, unknown> = {};
      for (const [field, column] of fields) entity[field] = (row as Record<string, unknown>)[column];
      for (const [field, compute] of others) entity[field] = compute(row);
      return entity as Entity;
    };
  };
}

/** Returns a statement that inserts the fields of an entity into the columns of the same names in snake case. */
export function insertRow<const List extends string>(
  table: string,
  columns: List,
  entity: { [Column in Columns<List> as CamelCase<Column>]: Param },
): Statement {
  const fields = columns.split(', ').map(toCamelCase);
  const params = fields.map((field) => (entity as Record<string, Param>)[field]!);
  return { text: `INSERT INTO ${table} (${columns}) VALUES (${fields.map(() => '?').join(', ')})`, params };
}

function toCamelCase(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
