/**
 * A real PostgreSQL for tests: one server for the whole run, started on first use.
 *
 *   const url = await freshPostgres();   // the URL of a new, empty database
 *
 * The global setup stops the server at the end. It also stops by itself if the test run is killed.
 */
import pg from 'pg';
import { startSharedProcess, stopSharedProcess } from './shared-process.ts';

interface Server {
  port: number;
}

let databases = 0;

export async function freshPostgres(): Promise<string> {
  const { port } = await server();
  const name = `test_${process.pid}_${++databases}`;
  const client = new pg.Client({ connectionString: address(port, 'postgres') });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  return address(port, name);
}

/** Runs one statement as administrator, for tests that disturb the server, for example by ending its connections. */
export async function postgresAdmin(sql: string, values: unknown[] = []): Promise<unknown[]> {
  const { port } = await server();
  const client = new pg.Client({ connectionString: address(port, 'postgres') });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export const stopPostgres = (): Promise<void> => stopSharedProcess('postgres');

const server = (): Promise<Server> => startSharedProcess<Server>('postgres', './postgres-server.mjs');

function address(port: number, database: string): string {
  return `postgres://sheaf@127.0.0.1:${port}/${database}`;
}
