/**
 * Runs the built sheaf server as a separate process, for tests of faults. Tests can change its settings and limit its
 * open files.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Key } from './call-client.ts';

const program = fileURLToPath(new URL('../sheaf.mjs', import.meta.url));

export interface NodeOptions {
  folder: string;
  env?: NodeJS.ProcessEnv;
  /** Maximum number of open file descriptors. */
  descriptors?: number;
  /**
   * Root folder of another built checkout of the repository, whose server is started. By default, the server of this
   * checkout is started.
   */
  checkout?: string;
  /**
   * Arguments for node that start another server. When it is ready, it must print the line that sheaf prints: `sheaf is
   * ready at <URL>`.
   */
  command?: readonly string[];
  /** Called as soon as the process exists, for tests that kill it while it starts. */
  onSpawn?: (child: ChildProcess) => void;
}

export interface NodeProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Returns the process's output on stderr. */
  log(): string;
  isAlive(): boolean;
  /** Stops the process and returns its exit code or signal. */
  stop(): Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts a server as a child process and waits until it is ready. If the process exits before, rejects with an error
 * that contains its output on stderr.
 */
export async function startNode({
  folder,
  env = {},
  descriptors,
  checkout,
  command,
  onSpawn,
}: NodeOptions): Promise<NodeProcess> {
  const settings = {
    PATH: process.env['PATH'],
    SHEAF_DATA: folder,
    SHEAF_PORT: '0',
    SHEAF_RATE_LIMIT: '0',
    SHEAF_LOG_LEVEL: 'warn',
    ...env,
  };
  // Start dist/main.js directly, because the start script of an older checkout would first check that its packages are
  // installed.
  const fromCheckout = (folder: string): string[] => [
    '-e',
    `import(${JSON.stringify(join(folder, 'dist', 'main.js'))}).then(({ main }) => main(['serve']))`,
  ];
  const serve = [process.execPath, ...(command ?? (checkout ? fromCheckout(checkout) : [program, 'serve']))];
  const [executable, ...args] =
    descriptors === undefined ? serve : ['sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, ...serve];
  const child = spawn(executable!, args, { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  onSpawn?.(child);
  let output = '';
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-1_000_000)));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^sheaf is ready at (http:\/\/\S+)$/m.exec(output);
      if (found) resolve(found[1]!);
    });
    child.once('close', (code, signal) => reject(new Error(`the server ended with ${code ?? signal}: ${log}`)));
  });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    child,
    url,
    log: () => log,
    isAlive,
    async stop() {
      if (isAlive()) {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        const forced = setTimeout(() => child.kill('SIGKILL'), 20_000);
        await gone;
        clearTimeout(forced);
      }
      return child.exitCode ?? child.signalCode;
    },
  };
}

export async function ownerKey(folder: string): Promise<Key> {
  const found = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
    user_id: string;
    client_id: string;
    api_key: string;
  };
  return { userId: found.user_id, clientId: found.client_id, apiKey: found.api_key };
}
