/** Runs the built sheaf server as a separate process, for tests that kill it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../sheaf.mjs', import.meta.url));

export interface KillableServer {
  child: ChildProcess;
  url: string;
}

export async function startKillableServer(
  folder: string,
  settings: Record<string, string> = {},
): Promise<KillableServer> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      SHEAF_DATA: folder,
      SHEAF_PORT: '0',
      SHEAF_RATE_LIMIT: '0',
      SHEAF_LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^sheaf is ready at (http:\/\/\S+)$/m.exec(output);
      if (found) resolve(found[1]!);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, url };
}

export async function killServer({ child }: KillableServer): Promise<void> {
  child.removeAllListeners('exit');
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
