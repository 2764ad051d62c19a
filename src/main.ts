import { serve } from './transports/cli/serve.ts';

export async function main(args: readonly string[]): Promise<void> {
  const [command] = args;
  if (command === 'serve' || command === undefined) {
    await serve(process.env);
    return;
  }
  // Loaded only when asked for: a server's start should not pay for the other commands.
  const { runCommand } = await import('./transports/cli/commands.ts');
  await runCommand(args);
}
