import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { firstStart } from './first-start.ts';
import { serve } from './transports/cli/serve.ts';
import { createHttpServer } from './transports/http/server.ts';

/** What a server is made of, for whoever starts one inside a program: the suites, with clocks and settings of their own. */
export const parts = { createApp, readConfig, firstStart, createHttpServer };

export async function main(args: readonly string[]): Promise<void> {
  // What we write is for nobody else on this machine: the database, files, copies and keys.
  process.umask(0o077);
  if (args.length === 0 || (args.length === 1 && args[0] === 'serve')) {
    await serve(process.env);
    return;
  }
  // Loaded only when asked for: a server's start should not pay for the other commands.
  const { runCommand } = await import('./transports/cli/commands.ts');
  await runCommand(args);
}
