import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * Returns the random secret from which all nodes of the installation derive their encryption keys. It is stored in the
 * database, where the first node that starts creates it.
 */
export async function loadInstallationSecret(database: Database): Promise<Buffer> {
  const read = () => database.get<{ value: string }>("SELECT value FROM installation_secret WHERE name = 'root'");
  let row = await read();
  if (!row) {
    const fresh = randomBytes(32).toString('hex');
    await database.write(null, (tx) =>
      tx.run("INSERT INTO installation_secret (name, value) VALUES ('root', ?) ON CONFLICT (name) DO NOTHING", fresh),
    );
    row = await read();
  }
  return Buffer.from(row!.value, 'hex');
}
