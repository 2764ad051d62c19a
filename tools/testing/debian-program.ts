/**
 * Finds the programs, such as nginx and promtool, with which tests check the deployment files. A program that is not
 * installed is extracted from its Debian package into a temporary folder. Nothing is installed on the machine, and no
 * service is started.
 */
import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface DebianProgram {
  /** Path of the program inside the package. Its file name is also searched in PATH. */
  readonly path: string;
  /** The Debian package of the program, followed by packages of libraries that may be missing. */
  readonly packages: readonly string[];
  /** Pattern that the output of the version command must match. The deployment files are written for this version. */
  readonly version: RegExp;
  readonly versionArguments: readonly string[];
}

export const promtool: DebianProgram = {
  path: 'usr/bin/promtool',
  packages: ['prometheus'],
  version: /promtool, version \d/,
  versionArguments: ['--version'],
};
export const caddy: DebianProgram = {
  path: 'usr/bin/caddy',
  packages: ['caddy'],
  version: /^v?2\.6\./,
  versionArguments: ['version'],
};
export const nginx: DebianProgram = {
  path: 'usr/sbin/nginx',
  packages: ['nginx', 'libpcre2-8-0'],
  version: /nginx\/1\.22\./,
  versionArguments: ['-v'],
};
export const psql: DebianProgram = {
  path: 'usr/lib/postgresql/15/bin/psql',
  packages: ['postgresql-client-15', 'libpq5'],
  version: /PostgreSQL/,
  versionArguments: ['--version'],
};

export type FoundProgram = { command: string; env: NodeJS.ProcessEnv; missing?: undefined } | { missing: string };

/** Returns the command and environment to start the program, or the reason why it is not available. */
export async function findProgram(program: DebianProgram): Promise<FoundProgram> {
  const name = program.path.split('/').at(-1)!;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  for (const command of [...folders.map((folder) => join(folder, name)), `/${program.path}`])
    if (await hasVersion(command, process.env, program)) return { command, env: process.env };
  try {
    const root = await unpack(program);
    const env = { ...process.env, LD_LIBRARY_PATH: join(root, 'usr/lib', await multiarch()) };
    const command = join(root, program.path);
    if (await hasVersion(command, env, program)) return { command, env };
    return { missing: `${program.packages[0]} of this Debian has another version of ${name}` };
  } catch (error) {
    return { missing: `${name} is not installed, and Debian's package cannot be fetched: ${(error as Error).message}` };
  }
}

async function hasVersion(command: string, env: NodeJS.ProcessEnv, program: DebianProgram): Promise<boolean> {
  try {
    await access(command, constants.X_OK);
    const { stdout, stderr } = await run(command, program.versionArguments, { env });
    return program.version.test(stdout + stderr);
  } catch {
    return false;
  }
}

/** Downloads and unpacks the packages once per machine and user. Returns the folder with their content. */
async function unpack({ packages }: DebianProgram): Promise<string> {
  const kept = join(tmpdir(), `sheaf-debian-${process.getuid?.() ?? 0}`);
  const target = join(kept, packages[0]!);
  if (
    await access(target).then(
      () => true,
      () => false,
    )
  )
    return target;
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(kept, 'fetching-'));
  try {
    await run('apt-get', ['download', ...packages], { cwd: folder, timeout: 120_000 });
    const root = join(folder, 'root');
    for (const file of await readdir(folder))
      if (file.endsWith('.deb')) await run('dpkg', ['-x', file, root], { cwd: folder });
    await rename(root, target).catch(async (error: unknown) => {
      // Ignore the error if another test has unpacked the same packages meanwhile.
      await access(target).catch(() => Promise.reject(error));
    });
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function multiarch(): Promise<string> {
  const { stdout } = await run('dpkg-architecture', ['-qDEB_HOST_MULTIARCH']).catch(() =>
    Promise.resolve({ stdout: process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu' }),
  );
  return stdout.trim();
}
