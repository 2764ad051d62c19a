import type { ClientOptions } from '@sheaf/client';
import { Server } from './asking.ts';
import { folderSource, importFolder, type FolderOptions } from './folder.ts';
import { ServiceImport } from './ima.ts';
import { Ledger } from './ledger.ts';
import { Report } from './report.ts';
import { serviceOf } from './service.ts';
import { Target } from './target.ts';

/** The target server, and the environment: location of the ledger, and URL and keys of the source service. */
export interface ImportOptions {
  readonly target: ClientOptions;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the exit code: 1 if something could not be imported. */
export async function runFolderImport(options: ImportOptions, folder: FolderOptions): Promise<number> {
  return importing(options, await folderSource(folder.path), (target, report) => importFolder(target, folder, report));
}

export async function runServiceImport(options: ImportOptions): Promise<number> {
  const { source, name } = serviceOf(options.env);
  try {
    return await importing(options, name, (target, report) => new ServiceImport(source, target, report).run());
  } finally {
    await source.close();
  }
}

async function importing(
  { target, env }: ImportOptions,
  source: string,
  work: (target: Target, report: Report) => Promise<void>,
): Promise<number> {
  const server = new Server(target);
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
