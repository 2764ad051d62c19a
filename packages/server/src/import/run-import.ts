import type { ClientOptions } from '@sheaf/client';
import { RetryingClient } from './retrying-client.ts';
import { folderSourceId, importFolder, type FolderOptions } from './folder-import.ts';
import { ServiceImport } from './service-import.ts';
import { ImportLedger } from './import-ledger.ts';
import { ImportReport } from './import-report.ts';
import { openSourceService } from './source-service.ts';
import { ImportTarget } from './import-target.ts';

/**
 * Options of an import. `target` is the server to import into. `env` contains the location of the import log, and the
 * URL and keys of the service to import from.
 */
export interface ImportOptions {
  readonly target: ClientOptions;
  readonly env: NodeJS.ProcessEnv;
}

/** Imports a folder. Returns the exit code: 1 if an entry could not be imported, otherwise 0. */
export async function runFolderImport(options: ImportOptions, folder: FolderOptions): Promise<number> {
  return runImport(options, await folderSourceId(folder.path), (target, report) =>
    importFolder(target, folder, report),
  );
}

export async function runServiceImport(options: ImportOptions): Promise<number> {
  const { source, name } = openSourceService(options.env);
  try {
    return await runImport(options, name, (target, report) => new ServiceImport(source, target, report).run());
  } finally {
    await source.close();
  }
}

async function runImport(
  { target, env }: ImportOptions,
  source: string,
  work: (target: ImportTarget, report: ImportReport) => Promise<void>,
): Promise<number> {
  const server = new RetryingClient(target);
  const { user_id: userId } = await server.call('account.get_me', {});
  const ledger = await ImportLedger.open(env, source, String(userId));
  try {
    const report = new ImportReport();
    await work(new ImportTarget(server, ledger), report);
    return report.print(ledger.path);
  } finally {
    await ledger.close();
  }
}
