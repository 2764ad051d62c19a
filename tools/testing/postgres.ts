/**
 * A real PostgreSQL for tests, one for the whole run, started by whoever asks first.
 *
 *   const url = await freshPostgres();   // the address of a new, empty database
 *
 * It is stopped by the global set-up at the end, and stops by itself when the test run is killed.
 */
import pg from 'pg';
import { startOnce, stopStarted } from './run-process.ts';

interface Server {
  port: number;
}

let databases = 0;

/** The address of a new, empty database. */
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

/** Runs one statement as administrator, for tests that disturb the server. */
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

export const stopPostgres = (): Promise<void> => stopStarted('postgres');

const server = (): Promise<Server> => startOnce<Server>('postgres', './postgres-server.mjs');

function address(port: number, database: string): string {
  return `postgres://sheaf@127.0.0.1:${port}/${database}`;
}
