/** The fixtures of a release, put where today's product opens them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import type { DatabaseName } from '@sheaf/tools/testing/databases.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { unpacked } from './engine-log.ts';
import type { Recorded } from './make.ts';
import { loadPostgres, type Dump } from './postgres-dump.ts';

export const fixtures = fileURLToPath(new URL('../fixtures/0.1.0/', import.meta.url));

export interface OldData {
  /** For `startServer`. */
  options: { database: DatabaseName; folder: string; databaseUrl?: string };
  recorded: Recorded;
  credentials: { client_id: string; api_key: string };
}

export async function unpackOldData(database: DatabaseName): Promise<OldData> {
  const folder = await temporaryFolder();
  const files = unzipSync(await readFile(join(fixtures, `${database}.zip`)));
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  const databaseUrl = database === 'postgres' ? await freshPostgres() : undefined;
  if (databaseUrl) await loadPostgres(databaseUrl, unpacked<Dump>(files['postgres.json']!));
  const data = join(folder, 'data');
  return {
    options: { database, folder: data, ...(databaseUrl ? { databaseUrl } : {}) },
    recorded: unpacked<Recorded>(files['expected.json']!),
    credentials: JSON.parse(await readFile(join(data, 'credentials.json'), 'utf8')) as OldData['credentials'],
  };
}
