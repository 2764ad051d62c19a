import { configHelp } from '../../config.ts';
import { version } from '../../version.ts';
import { adminCommand, adminHelp } from './admin.ts';
import { callCommand, registry } from './call.ts';
import { CommandError } from './command-error.ts';
import { mcpCommand } from './mcp.ts';
import { usage } from '../../operation/describe.ts';

const help = `sheaf ${version}: knowledge bases, notes and spreadsheets that people and agents share

  sheaf serve                       start the server (the default)
  sheaf mcp [modules=sheet,note]    the Model Context Protocol on stdin and stdout
  sheaf call OPERATION [--help]     call an operation of a running server
  sheaf admin COMMAND               users and keys, on the data folder itself
  sheaf backup FOLDER               a consistent copy while the server runs
  sheaf restore FOLDER              into an empty data folder or database, after verifying the copy
  sheaf help [config | admin | OPERATION]
`;

export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await dispatch(args, process.env);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`sheaf: ${error.message}\n`);
    process.exitCode = 2;
  }
}

async function dispatch(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
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
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(helpFor(rest[0]));
      return 0;
    case '--version':
    case '-v':
      process.stdout.write(`${version}\n`);
      return 0;
    default:
      throw new CommandError(`there is no command ${JSON.stringify(command)}\n\n${help}`);
  }
}

function helpFor(topic: string | undefined): string {
  if (topic === undefined) return help;
  if (topic === 'config') return `Settings are environment variables [default]:\n\n${configHelp()}\n`;
  if (topic === 'admin') return `${adminHelp()}\n`;
  const entry = registry().find(topic);
  if (!entry) throw new CommandError(`there is no help on ${JSON.stringify(topic)}; topics are config, admin and every operation`);
  return `${usage(entry)}\n`;
}
