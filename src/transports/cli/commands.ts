export async function runCommand(args: readonly string[]): Promise<void> {
  throw new Error(`unknown command ${args[0]}`);
}
