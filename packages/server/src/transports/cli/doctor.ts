import { resolve } from 'node:path';
import { checkConnections, checkDatabase, checkSchema, readSchemaState } from '../../adapters/doctor/database.ts';
import { failure, ok, errorReason, warning, type Finding } from '../../adapters/doctor/finding.ts';
import { checkStandbys } from '../../adapters/doctor/standbys.ts';
import { checkChecksums } from '../../adapters/doctor/checksums.ts';
import { checkBlobs, checkInvariants, checkBacklog } from '../../adapters/doctor/integrity.ts';
import { checkRecoveries } from '../../adapters/doctor/recovery.ts';
import { checkDisk, checkPermissions, checkRuntime } from '../../adapters/doctor/machine.ts';
import { checkBlobStore } from '../../adapters/doctor/blob-store.ts';
import { openBlobs } from '../../app/open-blobs.ts';
import { lostFramesPath, openDatabase } from '../../app/open-database.ts';
import { readConfig, unknownSettings, type Config } from '../../config.ts';
import type { Logger } from '../../lib/logger.ts';
import { version } from '../../version.ts';
import { CommandError } from './command-error.ts';
import { refuseMissingData } from './data-folder-check.ts';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/**
 * Matches SHEAF_ variables that are not settings of the server but must not be reported as unknown: variables of the
 * command line, and variables that Kubernetes sets for a service named sheaf.
 */
const otherVariables = /^SHEAF_(URL|CLIENT_ID|API_KEY|IMPORT_.*|SERVICE_.*|PORT_.*)$/;
/**
 * Lowest schema version that has all tables that the checks read. In older databases, `doctor` skips the checks that
 * read tables.
 */
const oldestChecked = 14;
/**
 * Lowest schema version with checksums of stored texts. In older databases, `doctor --full` skips the check of texts.
 */
const oldestWithChecksums = 32;

/** Checks an installation and suggests fixes. Changes nothing, so the server may be running. Returns the exit code. */
export async function doctorCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const unknown = args.find((word) => word !== '--full' && word !== '--json');
  if (unknown !== undefined)
    throw new CommandError(`there is no option ${JSON.stringify(unknown)}\nusage: sheaf doctor [--full] [--json]`);
  const config = readConfig(env);
  refuseMissingData(config);
  const findings = await examine(config, env, args.includes('--full'));
  process.stdout.write(args.includes('--json') ? `${JSON.stringify(findings, undefined, 2)}\n` : report(findings));
  return findings.some(({ state }) => state === 'failure') ? 1 : 0;
}

async function examine(config: Config, env: NodeJS.ProcessEnv, isFull: boolean): Promise<Finding[]> {
  const folder = resolve(config.SHEAF_DATA);
  const usesDisk = !config.SHEAF_DATABASE_URL || !config.SHEAF_S3_ENDPOINT;
  const findings: Finding[] = [checkRuntime(version), ...settings(config, env)];
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
    return [failure('database', `cannot be opened: ${errorReason(error)}`, adviceFor(config, error))];
  }
  const { database, events, searchDatabase } = parts;
  try {
    const findings = await checkDatabase(database, isFull);
    const standbys = await checkStandbys(database);
    if (standbys) findings.push(standbys);
    const recovery = await checkRecoveries(lostFramesPath(config));
    if (recovery) findings.push(recovery);
    const schema = await readSchemaState(database);
    findings.push(checkSchema(schema));
    if (schema === undefined || schema.newest < oldestChecked) return findings;
    const ofOneNode = config.SHEAF_DATABASE_CONNECTIONS + config.SHEAF_SEARCH_CONNECTIONS + 1;
    const connections = await checkConnections(database, ofOneNode);
    if (connections) findings.push(connections);
    findings.push(await checkBacklog(database, Date.now()), ...(await checkInvariants(database)));
    if (isFull && schema.newest >= oldestWithChecksums) findings.push(await checkChecksums(database));
    if (blobs) findings.push(...(await checkBlobs(database, blobs, isFull)));
    return findings;
  } catch (error) {
    return [failure('database', `does not answer as it should: ${errorReason(error)}`, adviceFor(config, error))];
  } finally {
    await events.close();
    await searchDatabase?.close();
    await database.close();
  }
}

/**
 * Advice for connection errors, by error code. STANDBY is a code of this project for a database that is a read-only
 * replica. The other codes come from PostgreSQL or from the network.
 */
const connectionAdvice: Readonly<Record<string, string>> = {
  '28P01': 'The password in SHEAF_DATABASE_URL is wrong.',
  '28000': 'Let this machine and role in: pg_hba.conf of PostgreSQL.',
  '3D000': 'Create the database (CREATE DATABASE ... ENCODING UTF8), or correct its name in SHEAF_DATABASE_URL.',
  '53300': 'PostgreSQL has no connection left: raise max_connections, or lower SHEAF_DATABASE_CONNECTIONS.',
  '57P03': 'PostgreSQL is starting or recovering; try again in a moment.',
  STANDBY: 'Let SHEAF_DATABASE_URL lead to the primary, or promote this standby if the primary is gone.',
  ENOTFOUND: 'The host name in SHEAF_DATABASE_URL is unknown here: correct it, or look at the DNS.',
  ECONNREFUSED: 'Nothing listens at that address: start PostgreSQL, or correct host and port in SHEAF_DATABASE_URL.',
  ETIMEDOUT: 'Nothing answers at that address: look at the firewall and at listen_addresses of PostgreSQL.',
};

function adviceFor(config: Config, error: unknown): string {
  if (!config.SHEAF_DATABASE_URL)
    return 'Look at the disk and at who owns the data folder; if the file is damaged, restore the newest backup.';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const advice = connectionAdvice[(cause as NodeJS.ErrnoException).code ?? ''];
    if (advice !== undefined) return advice;
  }
  return 'Look whether PostgreSQL runs and takes connections from here (pg_hba.conf, firewall), and at SHEAF_DATABASE_URL.';
}

function settings(config: Config, env: NodeJS.ProcessEnv): Finding[] {
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
  const unknown = unknownSettings(env).filter(({ name }) => !otherVariables.test(name));
  if (unknown.length > 0)
    findings.push(
      warning(
        'settings',
        `${unknown.map(({ name }) => name).join(', ')}: sheaf knows no such setting and ignores it`,
        'sheaf help config lists all settings.',
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
