import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { forwarding, runScenario, runSuite, suiteNode, type Forwarding, type ScenarioResult } from './conformance.ts';
import { expectedFailures } from './expected-failures.ts';
import { conformanceFixtures } from './fixtures.ts';

/** The official suite, whole, in both of its versions; the documentation has its result. */

const versions = ['2026-07-28', '2025-11-25'];
/** Scenarios of the extension for tasks, which is one to 2026-07-28. */
const ofTasks = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];
const page = new URL('../../../../docs/guide/mcp.md', import.meta.url);
const patienceMs = 300_000;
const node = suiteNode();

// Where there is neither Node 22 nor a package of it the suite cannot run at all.
describe.skipIf(node === undefined && process.platform !== 'linux')('the official MCP conformance suite', () => {
  let server: TestServer;
  let forward: Forwarding;
  const results = new Map<string, Map<string, ScenarioResult>>();

  beforeAll(async () => {
    if (node === undefined) throw new Error('the suite is not installed: run "npm ci" in tools/outside');
    const config = { SHEAF_TASK_AFTER: 0 };
    server = await startServer({ database: 'sqlite', additions: conformanceFixtures, config });
    forward = await forwarding(server.url, server.owner);
  });
  afterAll(async () => {
    forward?.close();
    await server?.close();
  });

  test.each(versions)(
    '%s: what fails is what is meant to',
    async (version) => {
      const found = await runSuite(node!, forward.url, version);
      const scenarios = version === versions[0] ? ofTasks : [];
      const more = await Promise.all(scenarios.map((name) => runScenario(node!, forward.url, version, name)));
      scenarios.forEach((name, index) => found.set(name, more[index]!));
      results.set(version, found);
      const failed = [...found].filter(([, { failed: count }]) => count > 0).map(([name]) => name);
      expect(failed.sort()).toEqual(Object.keys(expectedFailures[version]!).sort());
      expect(found.size).toBeGreaterThan(30);
    },
    patienceMs,
  );

  test('the documentation has the result by scenario', () => {
    const text = readFileSync(page, 'utf8');
    const [before, after] = [text.indexOf('<!-- result -->'), text.indexOf('<!-- end of the result -->')];
    const wanted = `<!-- result -->\n${tableOf(results)}\n`;
    if (process.env['SHEAF_WRITE_RESULT']) writeFileSync(page, text.slice(0, before) + wanted + text.slice(after));
    else expect(text.slice(before, after)).toBe(wanted);
  });
});

function tableOf(results: ReadonlyMap<string, ReadonlyMap<string, ScenarioResult>>): string {
  const names = new Set(versions.flatMap((version) => [...(results.get(version)?.keys() ?? [])]));
  const rows = [...names].map((name) => {
    const cells = versions.map((version) => cellOf(results.get(version)?.get(name)));
    const why =
      versions.map((version) => expectedFailures[version]![name]).find((reason) => reason !== undefined) ?? '';
    return `| ${name} | ${cells.join(' | ')} | ${why} |`;
  });
  return [`| scenario | ${versions.join(' | ')} | |`, '|---|---|---|---|', ...rows].join('\n');
}

function cellOf(result: ScenarioResult | undefined): string {
  if (!result) return '';
  if (result.failed > 0) return 'does not pass';
  return result.passed > 0 ? 'passes' : 'nothing to check';
}
