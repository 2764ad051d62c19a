import { ImportError } from '../../import/import-error.ts';
import { runFolderImport, runServiceImport } from '../../import/run-import.ts';
import { CommandError } from './command-error.ts';
import { findCredentials } from './find-credentials.ts';

const usage = 'usage: sheaf import folder PATH [--name NAME], or sheaf import ima';

/**
 * Imports data into the account of the API key that "sheaf call" uses. A repeated import may update objects that an
 * earlier import added. Nothing is deleted.
 */
export async function importCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [what, ...rest] = args;
  try {
    if (what === 'folder') {
      const folder = folderArguments(rest);
      return await runFolderImport({ target: await findCredentials(env), env }, folder);
    }
    if (what === 'ima') {
      if (rest.length > 0)
        throw new CommandError(
          `import ima takes no arguments (got ${rest.length}): keys are read from the environment`,
        );
      return await runServiceImport({ target: await findCredentials(env), env });
    }
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(error.message) : error;
  }
  throw new CommandError(
    `${what === undefined ? 'import what?' : `there is no import ${JSON.stringify(what)};`} ${usage}`,
  );
}

function folderArguments(args: readonly string[]): { path: string; name?: string } {
  const at = args.indexOf('--name');
  const name = at < 0 ? undefined : args[at + 1];
  const rest = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
  if (rest.length !== 1 || rest[0]!.startsWith('-') || (at >= 0 && !name)) throw new CommandError(usage);
  return { path: rest[0]!, ...(name === undefined ? {} : { name }) };
}
