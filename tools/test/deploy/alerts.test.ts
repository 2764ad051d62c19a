/**
 * [finding Q21] Tests the alert rules with promtool. The metrics of normal operation, and of outages of the database
 * and of the file store, are recorded from a running server. Other outages are simulated by changing series of the
 * recording of normal operation.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { findProgram, promtool, type FoundProgram } from '../../testing/debian-program.ts';
import { NetworkLink } from '../../testing/network-link.ts';
import { startNode, type NodeProcess } from '../../testing/node-process.ts';
import { freshPostgres } from '../../testing/postgres.ts';
import { startS3 } from '../../testing/s3.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const file = fileURLToPath(new URL('../../../deploy/alerts.yml', import.meta.url));
const run = promisify(execFile);
const minutes = 60;
const day = 86_400;

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
}
/** Values of one /metrics response by series, such as `sheaf_jobs{state="failed"}`. */
type Scrape = ReadonlyMap<string, number>;
/** One value per minute by series, in promtool's notation. */
type Changes = Record<string, string>;

let program: FoundProgram;
let rules: Rule[];
let calm: Scrape;
let withoutDatabase: Scrape;
let withoutStore: Scrape;

async function scrape({ url }: NodeProcess): Promise<Scrape> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = [...text.matchAll(/^(sheaf_[^ ]+) (\S+)$/gm)].map(
    ([, series, value]) => [series!, Number(value)] as const,
  );
  return new Map([...found, ['up', 1]]);
}

async function scrapeUntil(node: NodeProcess, series: string, value: number): Promise<Scrape> {
  for (let attempt = 0; attempt < 150; attempt++) {
    const told = await scrape(node);
    if (told.get(series) === value) return told;
    await sleep(200);
  }
  throw new Error(`${series} never became ${value}`);
}

beforeAll(async () => {
  program = await findProgram(promtool);
  ({
    groups: [{ rules }],
  } = parse(await readFile(file, 'utf8')) as { groups: [{ rules: Rule[] }] });
  if (program.missing !== undefined) return;
  const s3 = await startS3();
  const store = await NetworkLink.to(s3.endpoint);
  const postgres = await freshPostgres();
  const database = await NetworkLink.to(postgres);
  const node = await startNode({
    folder: await temporaryFolder(),
    env: {
      SHEAF_DATABASE_URL: database.through(postgres),
      SHEAF_PUBLIC_URL: 'https://127.0.0.1:1',
      SHEAF_S3_ENDPOINT: store.through(s3.endpoint),
      SHEAF_S3_BUCKET: s3.bucket,
      SHEAF_S3_REGION: s3.region,
      SHEAF_S3_ACCESS_KEY: s3.accessKey,
      SHEAF_S3_SECRET_KEY: s3.secretKey,
    },
  });
  try {
    calm = await scrape(node);
    store.fail('cut');
    withoutStore = await scrapeUntil(node, 'sheaf_store_up', 0);
    store.mend();
    database.fail('cut');
    withoutDatabase = await scrapeUntil(node, 'sheaf_ready', 0);
    database.mend();
  } finally {
    await node.stop();
    database.close();
    store.close();
    await s3.stop();
  }
}, 240_000);

/** Normal values of series that the recording lacks: a recent backup, a certificate valid for two months, free disk. */
const quiet: Changes = {
  sheaf_last_backup_seconds: '-20000+0x240',
  sheaf_certificate_expiry_seconds: `${60 * day}+0x240`,
  sheaf_disk_free_bytes: '50000000000+0x240',
  sheaf_disk_bytes: '100000000000+0x240',
};
/** Like `quiet`, but with one call per second. */
const busy: Changes = {
  ...quiet,
  'sheaf_calls_total{operation="note.import_doc",result="ok"}': '0+60x240',
  'sheaf_call_seconds_bucket{operation="note.import_doc",le="0.1"}': '0+60x240',
  'sheaf_call_seconds_bucket{operation="note.import_doc",le="10"}': '0+60x240',
  'sheaf_call_seconds_bucket{operation="note.import_doc",le="+Inf"}': '0+60x240',
  'sheaf_call_seconds_count{operation="note.import_doc"}': '0+60x240',
};

/** Returns four hours of values: the first hour as in `before`, the rest as in `after`. */
function fromHour(before: Scrape, after: Scrape): Changes {
  const changed = [...after].filter(
    ([series, value]) => before.get(series) !== value && /_up|_ready|_lease|_connection$/.test(series),
  );
  return Object.fromEntries(changed.map(([series, value]) => [series, `${before.get(series)}+0x59 ${value}+0x180`]));
}
const from = (before: string, after: string): string => `${before}+0x59 ${after}+0x180`;

/** Runs promtool and returns the alerts that fire at a minute if these series change. */
async function alertsAt(minute: number, changes: Changes): Promise<string[]> {
  if (program.missing !== undefined) throw new Error(program.missing);
  const folder = await temporaryFolder();
  const labelled = (series: string): string =>
    series.endsWith('}')
      ? `${series.slice(0, -1)},job="anything",instance="node-a:8787"}`
      : `${series}{job="anything",instance="node-a:8787"}`;
  const values = { ...Object.fromEntries([...calm].map(([series, value]) => [series, `${value}+0x240`])), ...changes };
  const series = Object.entries(values).map(([name, value]) => ({ series: labelled(name), values: value }));
  // Add an unreachable target of another program, for which no alert may fire.
  series.push({ series: 'up{job="other",instance="other:1"}', values: '0+0x240' });
  const firing: string[] = [];
  // promtool has no command that lists firing alerts. Expect no alerts, so that its errors name those that fire.
  const path = join(folder, 'tests.yml');
  await writeFile(
    path,
    stringify({
      rule_files: [file],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: series,
          alert_rule_test: rules.map(({ alert }) => ({ eval_time: `${minute}m`, alertname: alert, exp_alerts: [] })),
        },
      ],
    }),
  );
  const output = await run(program.command, ['test', 'rules', path], { env: program.env }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
  for (const [, name] of output.matchAll(/alertname:\s*(\w+)[^]*?got:/g)) firing.push(name!);
  if (firing.length === 0) expect(output).toContain('SUCCESS');
  return firing.sort();
}

test('[finding Q21] every alert has a severity and names no job', () => {
  expect(rules.length).toBeGreaterThan(15);
  for (const { alert, expr, labels } of rules) {
    expect([alert, ['critical', 'warning'].includes(labels.severity)]).toEqual([alert, true]);
    expect(expr).not.toContain('job=');
  }
});

test(
  '[finding Q21] promtool accepts the rules, and none fires in a calm hour, idle or not',
  { timeout: 120_000 },
  async (context) => {
    if (program.missing !== undefined) return context.skip(program.missing);
    await run(program.command, ['check', 'rules', file], { env: program.env });
    for (const changes of [quiet, busy])
      for (const minute of [5, 30, 60, 239]) expect(await alertsAt(minute, changes)).toEqual([]);
    // A single failed call on an otherwise idle node.
    const single = { ...quiet, 'sheaf_calls_total{operation="note.import_doc",result="busy"}': from('0', '1') };
    for (const minute of [61, 64, 66, 70]) expect(await alertsAt(minute, single)).toEqual([]);
  },
);

test('[finding Q21] each alert fires in its outage', { timeout: 240_000 }, async (context) => {
  if (program.missing !== undefined) return context.skip(program.missing);
  const failing = 'sheaf_calls_total{operation="note.import_doc",result="internal"}';
  const outages: Record<string, Changes> = {
    SheafDown: {
      ...Object.fromEntries([...calm.keys()].map((series) => [series, `${calm.get(series)}+0x59 stale`])),
      up: from('1', '0'),
    },
    SheafNotReady: { sheaf_ready: from('1', '0') },
    SheafCallsFail: { ...busy, [failing]: '0+0x59 0+6x180' },
    SheafDatabaseAway: fromHour(calm, withoutDatabase),
    SheafDatabaseRefusesWrites: { sheaf_database_writable: from('1', '0') },
    SheafDatabaseDamaged: { sheaf_database_damaged: from('0', '1') },
    SheafDiskFull: { sheaf_disk_free_bytes: from('50000000000', '90000000') },
    SheafDiskScarce: { sheaf_disk_free_bytes: from('50000000000', '4000000000') },
    SheafBackupOld: { sheaf_last_backup_seconds: `${-3 * day}+0x240` },
    SheafCertificateEnds: { sheaf_certificate_expiry_seconds: `${3 * day}+0x240` },
    SheafWaitsForConnections: { sheaf_database_waiting: from('0', '4') },
    SheafRepeatsTransactions: { sheaf_database_repeats: '0+0x59 0+600x180' },
    SheafEventsLost: { sheaf_event_connection: from('1', '0') },
    SheafAsksForEveryCaller: { sheaf_access_lease: from('1', '0') },
    SheafSearchBehind: { sheaf_search_outbox: from('0', '5000') },
    SheafJobsWait: { sheaf_oldest_job_seconds: '0+0x59 0+60x180' },
    SheafJobsFail: { 'sheaf_jobs{state="failed"}': '0+0x59 0+1x180' },
    SheafStoreAway: fromHour(calm, withoutStore),
    SheafStoreSlow: { sheaf_store_seconds: from('0.01', '0.9') },
    SheafStoreFails: { sheaf_store_errors: '0+0x59 0+30x180' },
    SheafSlow: { ...busy, 'sheaf_call_seconds_bucket{operation="note.import_doc",le="0.1"}': '0+0x240' },
  };
  expect(Object.keys(outages).sort()).toEqual(rules.map(({ alert }) => alert).sort());
  for (const [alert, changes] of Object.entries(outages)) {
    for (const series of Object.keys(changes).filter((name) => !name.includes('{')))
      expect([series, calm.has(series)]).toEqual([series, true]);
    const minute = 2 * minutes + 15;
    const firing = await alertsAt(minute, { ...quiet, ...changes });
    expect([alert, firing.includes(alert)]).toEqual([alert, true]);
  }
});
