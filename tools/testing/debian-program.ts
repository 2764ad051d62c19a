/**
 * Programs of other projects that the deployment files are tried with. One that is not installed is taken out of Debian's package
 * into a folder of this checkout: nothing is installed on the machine, and no service of the package is started.
 */
import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface DebianProgram {
  /** Paths inside the package; the file name is also looked for in PATH. */
  readonly path: string;
  /** The package of the program, and those of libraries that it needs and that may be missing. */
  readonly packages: readonly string[];
  /** What `versionArguments` must print; another version is not the one the files are for. */
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

/** Returns how to start the program, or why it cannot be had here. */
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

/** Downloads the packages and unpacks them once per machine and user. Returns the folder that they are unpacked in. */
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
      // Another test has unpacked the same packages meanwhile.
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
