import { ConfigError } from '../../config.ts';
import { version } from '../../version.ts';
import { adminCommand } from './admin.ts';
import { callCommand } from './call.ts';
import { CommandError } from './command-error.ts';
import { help, helpFor, isHelp } from './help.ts';
import { mcpCommand } from './mcp.ts';

const notUnderstood = 2;
const failed = 1;

export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await dispatch(args, process.env);
  } catch (error) {
    // Print only the message of the error, or its stack if the log level is `debug`.
    const isDebugging = process.env['SHEAF_LOG_LEVEL'] === 'debug';
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`sheaf: ${isDebugging ? stack : message}\n`);
    process.exitCode = error instanceof CommandError || error instanceof ConfigError ? notUnderstood : failed;
  }
}

async function dispatch(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command, ...rest] = args;
  if (command !== undefined && commands.has(command) && command !== 'call' && rest.some(isHelp))
    return print(helpFor(command));
  switch (command) {
    case 'serve':
      throw new CommandError(
        `serve takes no arguments (got ${rest.join(' ')}): settings are environment variables, see "sheaf help config"`,
      );
    case 'mcp':
      return mcpCommand(rest, env);
    case 'call':
      return callCommand(rest[0], rest.slice(1), env);
    case 'admin':
      return adminCommand(rest, env);
    case 'backup':
    case 'restore': {
      const { backupCommand, restoreCommand } = await import('./backup.ts');
      return command === 'backup' ? backupCommand(rest, env) : restoreCommand(rest, env);
    }
    case 'doctor': {
      const { doctorCommand } = await import('./doctor.ts');
      return doctorCommand(rest, env);
    }
    case 'import': {
      const { importCommand } = await import('./import.ts');
      return importCommand(rest, env);
    }
    case 'model': {
      const { modelCommand } = await import('./model.ts');
      return modelCommand(rest, env);
    }
    case 'help':
    case '--help':
    case '-h':
      return print(helpFor(rest[0]));
    case '--version':
    case '-v':
      return print(`${version}\n`);
    default:
      throw new CommandError(`there is no command ${JSON.stringify(command)}\n\n${help}`);
  }
}

const commands = new Set(['serve', 'mcp', 'call', 'admin', 'backup', 'restore', 'doctor', 'import', 'model']);

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
