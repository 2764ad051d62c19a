/**
 * Runs Debian's backup program pgBackRest on a PostgreSQL server that is started for one test. The server archives its
 * write-ahead log into the folder with the backups.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startDedicatedPostgres, type DedicatedPostgres } from './dedicated-postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = '/usr/bin/pgbackrest';
const server = '/usr/lib/postgresql/15';

/** Returns the Debian packages that are needed but not installed. */
export function missingBackupPackages(): string[] {
  return [
    ...(existsSync(program) ? [] : ['pgbackrest']),
    ...(existsSync(join(server, 'bin', 'postgres')) ? [] : ['postgresql-15']),
  ];
}

export interface BackupInfo {
  readonly label: string;
  readonly type: 'full' | 'diff' | 'incr';
  readonly repositoryBytes: number;
}

export class PgBackRest {
  readonly postgres: DedicatedPostgres;
  readonly #file: string;
  readonly #user: { uid?: number; gid?: number };

  private constructor(postgres: DedicatedPostgres, file: string, user: { uid?: number; gid?: number }) {
    this.postgres = postgres;
    this.#file = file;
    this.#user = user;
  }

  static async start(): Promise<PgBackRest> {
    const folder = await temporaryFolder();
    const user = unprivilegedUser();
    await chmod(dirname(folder), 0o711);
    await chmod(folder, 0o755);
    for (const name of ['repository', 'log', 'lock', 'spool', 'socket']) {
      await mkdir(join(folder, name));
      if (user.uid !== undefined) await chown(join(folder, name), user.uid, user.gid!);
    }
    const file = join(folder, 'pgbackrest.conf');
    const postgres = await startDedicatedPostgres({
      SHEAF_TEST_POSTGRES: server,
      SHEAF_TEST_POSTGRES_SETTINGS: JSON.stringify([
        'full_page_writes=on',
        'archive_mode=on',
        `archive_command=${program} --config=${file} --stanza=sheaf archive-push %p`,
        `unix_socket_directories=${join(folder, 'socket')}`,
      ]),
    });
    const lines = [
      '[global]',
      ...['repository', 'log', 'lock', 'spool'].map(
        (name) => `${name === 'repository' ? 'repo1' : name}-path=${join(folder, name)}`,
      ),
      'repo1-retention-full=2',
      'start-fast=y',
      'log-level-console=warn',
      'compress-level=1',
      '[sheaf]',
      `pg1-path=${postgres.data}`,
      `pg1-port=${new URL(postgres.url).port}`,
      `pg1-socket-path=${join(folder, 'socket')}`,
      'pg1-user=sheaf',
      '',
    ];
    await writeFile(file, lines.join('\n'), { mode: 0o644 });
    const backups = new PgBackRest(postgres, file, user);
    await backups.run('stanza-create');
    return backups;
  }

  backUp(type: BackupInfo['type']): Promise<string> {
    return this.run('backup', `--type=${type}`);
  }

  /**
   * Restores the data folder of the stopped server from the backup, copying only files that differ. At its next start,
   * the server recovers up to the time `target`.
   */
  restoreTo(target: string): Promise<string> {
    return this.run('restore', '--delta', '--type=time', `--target=${target}`, '--target-action=promote');
  }

  async list(): Promise<BackupInfo[]> {
    const [stanza] = JSON.parse(await this.run('info', '--output=json')) as {
      backup: { label: string; type: BackupInfo['type']; info: { repository: { delta: number } } }[];
    }[];
    return stanza!.backup.map(({ label, type, info }) => ({ label, type, repositoryBytes: info.repository.delta }));
  }

  async run(command: string, ...options: string[]): Promise<string> {
    const args = [`--config=${this.#file}`, '--stanza=sheaf', ...options, command];
    const { stdout } = await promisify(execFile)(program, args, {
      ...this.#user,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    return stdout;
  }
}

/**
 * Returns the ids of the system user that runs PostgreSQL and must own the backup folders. Returns no ids if the test
 * does not run as root, because everything then runs as the same user.
 */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}
