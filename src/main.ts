import { serve } from './transports/cli/serve.ts';

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
