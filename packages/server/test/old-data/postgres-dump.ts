/** A PostgreSQL database as text: what made its tables, then its rows as JSON. Loading it needs nothing but the driver. */
import pg from 'pg';

export interface Dump {
  readonly schema: readonly string[];
  readonly rows: readonly {
    readonly table: string;
    readonly identity: string | null;
    readonly last: number;
    readonly rows: readonly unknown[];
  }[];
  /** Constraints and indexes, after the rows. */
  readonly rules: readonly string[];
}

export async function dumpPostgres(url: string): Promise<Dump> {
  return connected(url, async (client) => {
    const all = async (sql: string, values: unknown[] = []): Promise<any[]> => (await client.query(sql, values)).rows;
    const schema: string[] = [];
    const rows: Dump['rows'][number][] = [];
    const extensions = await all(`SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'`);
    const functions = await all(
      `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );
    for (const { extname } of extensions) schema.push(`CREATE EXTENSION IF NOT EXISTS "${extname}"`);
    for (const { text } of functions) schema.push(text);
    const tables = await all(
      `SELECT oid::int AS oid, relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    );
    for (const { oid, name } of tables) {
      const columns = await all(
        `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS needed, a.attidentity AS identity, a.attgenerated AS generated,
           pg_get_expr(d.adbin, d.adrelid) AS preset, CASE WHEN a.attcollation <> t.typcollation THEN quote_ident(c.collname) END AS collation
         FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation c ON c.oid = a.attcollation
         LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
        [oid],
      );
      schema.push(`CREATE TABLE "${name}" (${columns.map(columnText).join(', ')})`);
      const identity = (columns.find((one) => one.identity !== '')?.name as string | undefined) ?? null;
      const last =
        identity === null
          ? 0
          : Number(
              (
                await all(
                  `SELECT last_value FROM pg_sequences WHERE format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence($1, $2)`,
                  [name, identity],
                )
              )[0]?.last_value ?? 0,
            );
      rows.push({
        table: name,
        identity,
        last,
        rows: (await all(`SELECT to_jsonb(t) AS row FROM "${name}" t`)).map(({ row }) => row),
      });
    }
    const constraints = await all(
      `SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', r.relname, c.conname, pg_get_constraintdef(c.oid)) AS text
       FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'c', 'f')
       ORDER BY c.contype = 'f', c.conname`,
    );
    const indexes = await all(
      `SELECT pg_get_indexdef(i.indexrelid) AS text FROM pg_index i JOIN pg_class r ON r.oid = i.indexrelid
       WHERE r.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid) ORDER BY r.relname`,
    );
    return { schema, rows, rules: [...constraints, ...indexes].map(({ text }) => text as string) };
  });
}

function columnText({ name, type, needed, identity, generated, preset, collation }: Record<string, any>): string {
  const parts = [`"${name}" ${type}`];
  if (collation) parts.push(`COLLATE ${collation}`);
  if (identity) parts.push(`GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  else if (generated) parts.push(`GENERATED ALWAYS AS (${preset}) STORED`);
  else if (preset) parts.push(`DEFAULT ${preset}`);
  if (needed) parts.push('NOT NULL');
  return parts.join(' ');
}

export async function loadPostgres(url: string, { schema, rows, rules }: Dump): Promise<void> {
  await connected(url, async (client) => {
    for (const statement of schema) await client.query(statement);
    for (const { table, identity, last, rows: own } of rows) {
      if (own.length > 0) {
        await client.query(
          `INSERT INTO "${table}" OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
          [JSON.stringify(own)],
        );
      }
      if (identity !== null && last > 0)
        await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, identity, last]);
    }
    for (const statement of rules) await client.query(statement);
  });
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
