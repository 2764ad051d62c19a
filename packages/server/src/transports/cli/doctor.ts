import { resolve } from 'node:path';
import { checkConnections, checkDatabase, checkSchema, readSchemaState } from '../../adapters/doctor/database.ts';
import { failure, ok, errorReason, warning, type Finding } from '../../adapters/doctor/finding.ts';
import { checkBlobs, checkInvariants, checkBacklog } from '../../adapters/doctor/integrity.ts';
import { checkDisk, checkPermissions, checkRuntime } from '../../adapters/doctor/machine.ts';
import { checkBlobStore } from '../../adapters/doctor/blob-store.ts';
import { openBlobs } from '../../app/open-blobs.ts';
import { openDatabase } from '../../app/open-database.ts';
import { readConfig, type Config } from '../../config.ts';
import type { Logger } from '../../lib/logger.ts';
import { version } from '../../version.ts';
import { CommandError } from './command-error.ts';
import { refuseMissingData } from './data-folder-check.ts';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** First schema version that has the tables the checks read. */
const oldestChecked = 14;

/** Checks an installation and suggests fixes. Changes nothing, so the server may be running. Returns the exit code. */
export async function doctorCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const unknown = args.find((word) => word !== '--full' && word !== '--json');
  if (unknown !== undefined)
    throw new CommandError(`there is no option ${JSON.stringify(unknown)}\nusage: sheaf doctor [--full] [--json]`);
  const config = readConfig(env);
  refuseMissingData(config);
  const findings = await examine(config, args.includes('--full'));
  process.stdout.write(args.includes('--json') ? `${JSON.stringify(findings, undefined, 2)}\n` : report(findings));
  return findings.some(({ state }) => state === 'failure') ? 1 : 0;
}

async function examine(config: Config, isFull: boolean): Promise<Finding[]> {
  const folder = resolve(config.SHEAF_DATA);
  const usesDisk = !config.SHEAF_DATABASE_URL || !config.SHEAF_S3_ENDPOINT;
  const findings: Finding[] = [checkRuntime(version), ...settings(config)];
  if (usesDisk) findings.push(await checkDisk(folder));
  findings.push(...(await checkPermissions(folder)));
  const blobs = await openBlobs(config);
  const store = await checkBlobStore(blobs, config.SHEAF_S3_ENDPOINT ?? `${folder}/blobs`);
  findings.push(store, ...(await examineDatabase(config, isFull, store.state === 'ok' ? blobs : undefined)));
  return findings;
}

async function examineDatabase(
  config: Config,
  isFull: boolean,
  blobs: Awaited<ReturnType<typeof openBlobs>> | undefined,
): Promise<Finding[]> {
  let parts: Awaited<ReturnType<typeof openDatabase>>;
  try {
    parts = await openDatabase(config, silent, {});
  } catch (error) {
    return [failure('database', `cannot be opened: ${errorReason(error)}`, adviceFor(config))];
  }
  const { database, events, searchDatabase } = parts;
  try {
    const findings = await checkDatabase(database, isFull);
    const schema = await readSchemaState(database);
    findings.push(checkSchema(schema));
    if (schema === undefined || schema.newest < oldestChecked) return findings;
    const ofOneNode = config.SHEAF_DATABASE_CONNECTIONS + config.SHEAF_SEARCH_CONNECTIONS + 1;
    const connections = await checkConnections(database, ofOneNode);
    if (connections) findings.push(connections);
    findings.push(await checkBacklog(database, Date.now()), ...(await checkInvariants(database)));
    if (blobs) findings.push(...(await checkBlobs(database, blobs, isFull)));
    return findings;
  } catch (error) {
    return [failure('database', `does not answer as it should: ${errorReason(error)}`, adviceFor(config))];
  } finally {
    await events.close();
    await searchDatabase?.close();
    await database.close();
  }
}

function adviceFor(config: Config): string {
  return config.SHEAF_DATABASE_URL
    ? 'Look whether PostgreSQL runs and takes connections from here (pg_hba.conf, firewall), and at SHEAF_DATABASE_URL.'
    : 'Look at the disk and at who owns the data folder; if the file is damaged, restore the newest backup.';
}

function settings(config: Config): Finding[] {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(config.SHEAF_HOST);
  const findings = [
    ok(
      'settings',
      `${config.SHEAF_DATABASE_URL ? 'PostgreSQL' : 'SQLite'} and ${config.SHEAF_S3_ENDPOINT ? 'an S3 store' : 'files'}`,
    ),
  ];
  if (!isLocal && !config.SHEAF_PUBLIC_URL)
    findings.push(
      warning(
        'settings',
        `SHEAF_HOST is ${config.SHEAF_HOST}, but SHEAF_PUBLIC_URL is not set: under a host name no request is accepted`,
        'Set SHEAF_PUBLIC_URL to the address that people open.',
      ),
    );
  if (config.SHEAF_DATABASE_URL && !config.SHEAF_S3_ENDPOINT)
    findings.push(
      warning(
        'settings',
        'the database is shared, the files are not: a second node would not find them',
        'Set SHEAF_S3_ENDPOINT before you start another node, or put SHEAF_DATA on a disk that all nodes share.',
      ),
    );
  return findings;
}

const labels = { ok: 'ok', warning: 'WARN', failure: 'FAIL' } as const;

function report(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, says, advice }) => [
    `${labels[state].padEnd(5)} ${check.padEnd(width)}  ${says}`,
    ...(advice === undefined ? [] : [`${' '.repeat(6 + width)}  -> ${advice}`]),
  ]);
  const failures = findings.filter(({ state }) => state === 'failure').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  const end =
    failures + warnings === 0
      ? 'Everything is well.'
      : `${failures} ${failures === 1 ? 'failure' : 'failures'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
  return `${lines.join('\n')}\n\n${end}\n`;
}
