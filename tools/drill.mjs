// npm run drill [-- NAME] [--seconds N] [--seed N]: runs long versions of tests that the test suite runs briefly. NAME
// is a key of the table below; "all" or no name runs all drills. An option needs a drill whose entry in the table maps
// it to an environment variable. Environment variables that are already set take precedence over the values in the
// table.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installFailoverPackages } from './drills/failover-packages.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { root } from './root-folder.mjs';

const drills = {
  crash: {
    env: { SHEAF_CRASH_ROUNDS: '1000', SHEAF_DRILL_ROUNDS: '50' },
    files: [
      'packages/server/test/faults/killed.test.ts',
      'packages/server/test/adapters/crash.test.ts',
      'packages/server/test/modules/sheet/agents/crash.test.ts',
    ],
  },
  agents: { env: { SHEAF_AGENTS: '10000' }, files: ['packages/server/test/modules/sheet/agents/two-nodes.test.ts'] },
  jobs: { env: { SHEAF_TEST_JOBS: '500' }, files: ['packages/server/test/ingestion/crash.test.ts'] },
  soak: { env: { SHEAF_SOAK_SECONDS: '600' }, files: ['tools/drills/soak.test.ts'] },
  faults: {
    env: { SHEAF_DRILL_SECONDS: '60' },
    files: ['database-away', 'disk-full', 'read-only-disk', 'failed-sync', 'object-store-away', 'descriptors'].map(
      (name) => `packages/server/test/faults/${name}.test.ts`,
    ),
  },
  standby: { env: { SHEAF_STANDBY_EDITS: '600' }, files: ['packages/server/test/faults/standby.test.ts'] },
  failover: {
    options: { seconds: 'SHEAF_FAILOVER_SECONDS', seed: 'SHEAF_FAILOVER_SEED' },
    each: () =>
      installFailoverPackages()
        ? [{ env: { SHEAF_FAILOVER_SECONDS: '60' }, files: ['packages/server/test/faults/failover'] }]
        : [],
  },
  upgrade: { env: { SHEAF_UPGRADE_SECONDS: '20' }, files: ['packages/server/test/faults/upgrade.test.ts'] },
  starts: { env: { SHEAF_DRILL_STARTS: '20' }, files: ['packages/server/test/faults/first-start.test.ts'] },
  strangers: { env: { SHEAF_DRILL_WRITES: '30' }, files: ['packages/server/test/faults/strangers.test.ts'] },
  libreoffice: { env: {}, files: ['packages/files/test/xlsx/libreoffice.test.ts'] },
  formats: { env: { SHEAF_FUZZ_ROUNDS: '10000' }, files: ['packages/server/test/adapters/parse/fuzz'] },
  formulas: { env: { SHEAF_FUZZ: '1000000' }, files: ['packages/engine/test/fuzz.test.ts'] },
  random: {
    options: { seconds: 'SHEAF_RANDOM_SECONDS', seed: 'SHEAF_RANDOM_SEEDS' },
    env: { SHEAF_RANDOM_SECONDS: '600', SHEAF_RANDOM_SEEDS: '1,2,3' },
    files: ['packages/server/test/faults/random/drill.test.ts'],
  },
  fuzz: { env: { SHEAF_FUZZ_CALLS: '200000' }, files: ['tools/drills/fuzz/fuzz.test.ts'] },
  attacks: { env: { SHEAF_ATTACKS: 'all' }, files: ['tools/drills/attacks.test.ts'] },
  'main-thread': { env: { SHEAF_TURN_MS: '50' }, files: ['packages/server/test/http/main-thread.test.ts'] },
  typing: {
    env: { SHEAF_CUTS: '200' },
    files: ['--config', 'packages/web/test/e2e/vitest.config.ts', 'packages/web/test/e2e/typing-loss.test.ts'],
  },
  permissions: {
    env: { SHEAF_PERMISSION_STEPS: '20000' },
    files: ['packages/server/test/sharing/programs.test.ts'],
  },
  programs: { env: { SHEAF_PROGRAMS: '10000' }, files: ['packages/engine/test/document'] },
  servers: { each: installedServers },
};

/** Tests that use PostgreSQL or a connection pooler. They run against every installed server. */
const databaseTests = [
  'packages/server/test/faults/pooler.test.ts',
  ...['database', 'postgres', 'migrate', 'event-bus', 'job-queue', 'search-index', 'search-pages'].map(
    (name) => `packages/server/test/adapters/${name}.test.ts`,
  ),
  ...['account', 'call', 'limit', 'note', 'sheet', 'task', 'wiki'].map(
    (name) => `packages/server/test/adapters/${name}-store.test.ts`,
  ),
  'packages/server/test/adapters/note-nodes.test.ts',
  'packages/server/test/adapters/audit-months.test.ts',
  'packages/server/test/adapters/whole-tables.test.ts',
];

/** Finds PgBouncer and the PostgreSQL versions installed by system packages. */
function installedServers() {
  const found = [];
  const versions = '/usr/lib/postgresql';
  for (const version of existsSync(versions) ? readdirSync(versions).sort() : []) {
    const folder = join(versions, version);
    if (!existsSync(join(folder, 'bin', 'initdb'))) continue;
    found.push({ what: `PostgreSQL ${version}`, env: { SHEAF_TEST_POSTGRES: folder }, files: databaseTests });
  }
  const pooler = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
  if (pooler)
    found.push({ what: 'PgBouncer', env: { SHEAF_TEST_PGBOUNCER: pooler }, files: databaseTests.slice(0, 1) });
  if (found.length === 0) process.stdout.write('neither PostgreSQL nor PgBouncer is installed: apt-get install both\n');
  return found;
}

ensureInstalled(root, { withTests: true });
await ensureBuilt();
const { wanted, options } = readArguments(process.argv.slice(2));
let failed = 0;
for (const [name, drill] of Object.entries(drills)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const chosen = Object.entries(options).map(([option, value]) => [drill.options?.[option], value]);
  for (const { what, env, files } of drill.each?.() ?? [drill]) {
    process.stdout.write(`\n== ${name}${what === undefined ? '' : `: ${what}`}\n`);
    const result = spawnSync(join(root, 'node_modules', '.bin', 'vitest'), ['run', '--testTimeout=3600000', ...files], {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, ...process.env, ...Object.fromEntries(chosen), NODE_ENV: 'test' },
    });
    if (result.status !== 0) failed++;
  }
}
process.exit(failed > 0 ? 1 : 0);

/** Reads drill names and options. Exits with an error if a name is unknown or a drill has no such option. */
function readArguments(args) {
  const wanted = [];
  const options = {};
  for (let index = 0; index < args.length; index++) {
    const option = /^--(\w+)(?:=(.*))?$/.exec(args[index]);
    if (option) options[option[1]] = option[2] ?? args[++index];
    else if (args[index] !== 'all') wanted.push(args[index]);
  }
  const isKnown = (name) =>
    name in drills &&
    Object.entries(options).every(([key, value]) => key in (drills[name].options ?? {}) && /^\d+$/.test(value ?? ''));
  const isAllowed = wanted.length > 0 ? wanted.every(isKnown) : Object.keys(options).length === 0;
  if (isAllowed) return { wanted, options };
  const names = Object.entries(drills).map(([name, drill]) =>
    [name, ...Object.keys(drill.options ?? {}).map((key) => `[--${key} N]`)].join(' '),
  );
  process.stderr.write(`usage: npm run drill -- [all | ${names.join(' | ')}]\n`);
  process.exit(2);
}
