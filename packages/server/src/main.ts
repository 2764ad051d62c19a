import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { ensureInitialOwner } from './initial-owner.ts';
import { serve } from './transports/cli/serve.ts';
import { createHttpServer } from './transports/http/server.ts';

/** Functions for programs that embed a server, such as test suites with their own clock and settings. */
export const parts = { createApp, readConfig, firstStart: ensureInitialOwner, createHttpServer };

export async function main(args: readonly string[]): Promise<void> {
  // Make new files (database, blobs, backups, keys) unreadable for other users of the machine.
  process.umask(0o077);
  if (args.length === 0 || (args.length === 1 && args[0] === 'serve')) {
    await serve(process.env);
    return;
  }
  // Load the other commands on demand, so that they do not slow down the server's start.
  const { runCommand } = await import('./transports/cli/commands.ts');
  await runCommand(args);
}
