import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { InstalledModel } from '../../adapters/embedding/installed-model.ts';
import { isRuntimeInstalled, missingRuntime } from '../../adapters/embedding/local-embedder.ts';
import { ModelError, readModelFolder, type FolderOptions } from '../../adapters/embedding/model-folder.ts';
import { modelRecord, type ModelRecord } from '../../adapters/embedding/model-record.ts';
import { fetchModel, verifyModelRuns, withInstalledModel } from '../../app/open-model.ts';
import { readConfig } from '../../config.ts';
import { CommandError } from './command-error.ts';
import { refuseMissingData } from './data-folder-check.ts';

const usage =
  'usage: sheaf model add FOLDER, sheaf model get ADDRESS, sheaf model show or sheaf model remove; see "sheaf help model"';

const optionTypes = {
  name: { type: 'string' },
  weights: { type: 'string' },
  pooling: { type: 'string' },
  'query-prefix': { type: 'string' },
  'passage-prefix': { type: 'string' },
  share: { type: 'string' },
  baseline: { type: 'string' },
  sha256: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

type Options = ReturnType<typeof parseOptions>['values'];

/**
 * Runs `sheaf model`, which adds, downloads, shows or removes the embedding model for semantic search. The model runs
 * inside the server process. The command opens the data folder or database directly.
 */
export async function modelCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { values, positionals } = parseOptions(args);
  const [word, place, ...rest] = positionals;
  const takesPlace = word === 'add' || word === 'get';
  if (!['add', 'get', 'show', 'remove'].includes(word ?? '') || rest.length > 0 || takesPlace !== (place !== undefined))
    throw new CommandError(usage);
  try {
    if (word === 'add') return await addModel(place!, basename(place!), values, env);
    if (word === 'get') return await getModel(place!, values, env);
    return await withModelOf(env, async (installed) => {
      if (word === 'remove') await installed.remove();
      const record = await installed.record();
      process.stdout.write(record ? describe(record) : 'There is no model: searches are by words.\n');
      return 0;
    });
  } catch (error) {
    throw error instanceof ModelError ? new CommandError(error.message) : error;
  }
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: optionTypes, allowPositionals: true });
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${usage}`);
  }
}

async function addModel(folder: string, source: string, options: Options, env: NodeJS.ProcessEnv): Promise<number> {
  requireRuntime();
  const model = await readModelFolder(folder, folderOptions(source, options));
  if (options.sha256 !== undefined && options.sha256.toLowerCase() !== model.weights.sha256)
    throw new ModelError(`--sha256: the weights have ${model.weights.sha256} (got ${options.sha256})`);
  await verifyModelRuns(model);
  return withModelOf(env, async (installed) => {
    const record = await installed.replace(model.settings, model);
    process.stdout.write(`${describe(record)}Servers use it from their next start on, and embed everything once.\n`);
    return 0;
  });
}

function requireRuntime(): void {
  if (!isRuntimeInstalled()) throw new CommandError(missingRuntime);
}

/** Downloads a model and installs it. Asks the operator for confirmation first, unless `--yes` is given. */
async function getModel(address: string, options: Options, env: NodeJS.ProcessEnv): Promise<number> {
  requireRuntime();
  const { hostname, protocol, pathname } = readAddress(address);
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (protocol !== 'https:' && !isLocal) throw new CommandError(`ADDRESS: must start with https:// (got ${address})`);
  if (!/\b[0-9a-f]{40}\b/.test(pathname) && options.sha256 === undefined)
    throw new CommandError(
      `ADDRESS: must name a revision by its 40 hexadecimal digits, or --sha256 the weights, so that it cannot change (got ${address})`,
    );
  if (!options.yes) await confirm(address);
  const target = await mkdtemp(join(tmpdir(), 'sheaf-model-'));
  try {
    const onFile = (file: string, bytes: number | undefined): void =>
      void process.stderr.write(`${file}${bytes === undefined ? '' : ` (${bytes} bytes)`}\n`);
    await fetchModel({ address, weights: options.weights, target, onFile });
    return await addModel(target, address, { ...options, name: options.name ?? nameIn(pathname) }, env);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

function readAddress(address: string): URL {
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new CommandError(`ADDRESS: must be the address of a model's folder (got ${JSON.stringify(address)})`);
  return new URL(address);
}

/**
 * Returns the name of the model in a URL path such as /OWNER/NAME/resolve/REVISION. Returns the last segment if the
 * path has another form.
 */
function nameIn(pathname: string): string {
  const parts = pathname.split('/').filter((part) => part !== '');
  const at = parts.indexOf('resolve');
  return (at > 0 ? parts[at - 1] : parts.at(-1)) ?? 'model';
}

async function confirm(address: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError('nobody can be asked here: confirm the download with --yes');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(
      `This downloads a model, often some hundred megabytes, from\n  ${address}\nTexts stay on this machine. Download it? [y/N] `,
    );
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was downloaded');
  } finally {
    lines.close();
  }
}

function folderOptions(source: string, options: Options): FolderOptions {
  const number = (name: 'share' | 'baseline'): number | undefined => {
    const { success, data } = modelRecord.shape[name].safeParse(Number(options[name] ?? Number.NaN));
    if (options[name] !== undefined && !success)
      throw new CommandError(
        `--${name}: must be a number from 0 to ${name === 'share' ? 5 : 0.95} (got ${options[name]})`,
      );
    return data;
  };
  const { pooling } = options;
  if (pooling !== undefined && pooling !== 'mean' && pooling !== 'cls')
    throw new CommandError(`--pooling: must be mean or cls (got ${pooling})`);
  const settings = {
    pooling,
    queryPrefix: options['query-prefix'],
    passagePrefix: options['passage-prefix'],
    share: number('share'),
    baseline: number('baseline'),
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { name: options.name, source, weights: options.weights, settings: Object.fromEntries(given) };
}

function withModelOf<Result>(
  env: NodeJS.ProcessEnv,
  work: (installed: InstalledModel) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(env);
  refuseMissingData(config);
  return withInstalledModel(config, work);
}

function describe(record: ModelRecord): string {
  const { weights, tokenizer: _tokenizer, ...settings } = record;
  const rows = Object.entries({ ...settings, bytes: weights.bytes, sha256: weights.sha256 });
  return `${rows.map(([name, value]) => `${name.padEnd(14)} ${typeof value === 'string' ? JSON.stringify(value) : value}`).join('\n')}\n`;
}
