import { CommandError } from '../command-error.ts';
import { connection } from '../connection.ts';
import { Server } from './asking.ts';
import { folderSource, importFolder } from './folder.ts';
import { ServiceImport } from './ima.ts';
import { Ledger } from './ledger.ts';
import { Report } from './report.ts';
import { serviceOf } from './service.ts';
import { Target } from './target.ts';

const usage = 'usage: sheaf import folder PATH [--name NAME], or sheaf import ima';

/** Brings things from elsewhere into the account of the key that "sheaf call" would use. Adds, and never deletes. */
export async function importCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [what, ...rest] = args;
  if (what === 'folder') {
    const { path, name } = folderArguments(rest);
    return importing(env, await folderSource(path), (target, report) => importFolder(target, { path, name }, report));
  }
  if (what === 'ima') {
    if (rest.length > 0)
      throw new CommandError(`import ima takes no arguments (got ${rest.length}): keys are read from the environment`);
    const { source, name } = serviceOf(env);
    try {
      return await importing(env, name, (target, report) => new ServiceImport(source, target, report).run());
    } finally {
      await source.close();
    }
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

async function importing(
  env: NodeJS.ProcessEnv,
  source: string,
  work: (target: Target, report: Report) => Promise<void>,
): Promise<number> {
  const server = new Server(await connection(env));
  const { user_id: userId } = await server.ask('account.get_me', {});
  const ledger = await Ledger.open(env, source, String(userId));
  try {
    const report = new Report();
    await work(new Target(server, ledger), report);
    return report.print(ledger.path);
  } finally {
    await ledger.close();
  }
}
