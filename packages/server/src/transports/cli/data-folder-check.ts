import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { CommandError } from './command-error.ts';

/** Throws if there is no database, so that a command does not create an empty installation by mistake. */
export function refuseMissingData(config: Config): void {
  const folder = resolve(config.SHEAF_DATA);
  if (config.SHEAF_DATABASE_URL || existsSync(join(folder, 'sheaf.db'))) return;
  throw new CommandError(
    `there is no database in ${folder}: set SHEAF_DATA to the data folder, or start the server once with "sheaf serve"`,
  );
}
