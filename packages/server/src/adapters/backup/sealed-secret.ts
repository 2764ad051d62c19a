import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { SecretSealer } from '../crypto/secret-sealer.ts';
import type { SnapshotView } from './catalog.ts';
import { BackupError, type Manifest } from './manifest.ts';

/**
 * Table with the installation's secret. It is not copied in plain text like the other tables, because anyone who has
 * the secret can sign links and decrypt stored data.
 */
export const secretTable = 'installation_secret';

export interface SecretRow {
  name: string;
  value: string;
}

/** Returns the installation's secret encrypted with the passphrase, or undefined if there is no passphrase. */
export async function sealSecret(view: SnapshotView, passphrase: string | undefined): Promise<Manifest['secret']> {
  if (passphrase === undefined) return undefined;
  const rows = await view.all<SecretRow>('SELECT name, value FROM installation_secret ORDER BY name');
  const salt = randomBytes(16);
  return { salt: salt.toString('base64'), sealed: (await sealerOf(passphrase, salt)).seal(JSON.stringify(rows)) };
}

/**
 * Decrypts the installation's secret in a backup. Returns undefined if the backup has no secret or no passphrase was
 * given; throws BackupError if the passphrase is wrong.
 */
export async function unsealSecret(
  manifest: Manifest,
  passphrase: string | undefined,
): Promise<SecretRow[] | undefined> {
  if (manifest.secret === undefined || passphrase === undefined) return undefined;
  const sealer = await sealerOf(passphrase, Buffer.from(manifest.secret.salt, 'base64'));
  const opened = sealer.unseal(manifest.secret.sealed);
  if (opened === undefined)
    throw new BackupError(
      'SHEAF_BACKUP_PASSPHRASE: is not the passphrase that the backup was made with; nothing was restored',
    );
  return JSON.parse(opened) as SecretRow[];
}

/**
 * Returns an encrypter whose key is derived from the passphrase with scrypt. Scrypt is slow on purpose, which makes
 * guessing passphrases expensive.
 */
async function sealerOf(passphrase: string, salt: Uint8Array): Promise<SecretSealer> {
  const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);
  return new SecretSealer(
    await derive(passphrase, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }),
    'backup',
  );
}
