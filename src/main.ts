import { serve } from './transports/cli/serve.ts';

// The parts of a server, for whoever starts it inside a program: the suites, with clocks and settings of their own.
export { createApp } from './app.ts';
export { readConfig } from './config.ts';
export { firstStart } from './first-start.ts';
export { createHttpServer } from './transports/http/server.ts';

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
