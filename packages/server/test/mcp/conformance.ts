/** The official conformance suite against a server. It cannot send a key: a port that forwards adds one, and nothing else. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Key } from '@sheaf/tools/testing/test-server.ts';

const modules = fileURLToPath(new URL('../../../../tools/outside/node_modules', import.meta.url));

export interface ScenarioResult {
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
}

/** The suite needs Node 22: this one, or that of the tests. */
export function suiteNode(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const own = `${modules}/node-linux-${process.arch}/bin/node`;
  return existsSync(own) ? own : undefined;
}

export interface Forwarding {
  readonly url: string;
  close(): void;
}

/** Host and Origin pass as they are, because the suite tests them. */
export async function forwarding(target: string, key: Key): Promise<Forwarding> {
  const { hostname, port } = new URL(target);
  const forward = createServer((incoming, outgoing) => {
    const to = request(
      {
        host: hostname,
        port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, authorization: `Bearer ${key.apiKey}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    to.on('error', () => outgoing.destroy());
    outgoing.on('close', () => to.destroy());
    incoming.pipe(to);
  });
  await new Promise<void>((resolve) => forward.listen(0, '127.0.0.1', resolve));
  const address = forward.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    close: () => {
      forward.close();
      forward.closeAllConnections();
    },
  };
}

/** What the suite says of each scenario of a version. */
export async function runSuite(node: string, url: string, version: string): Promise<Map<string, ScenarioResult>> {
  const { output, folder } = await run(node, url, version);
  const results = new Map<string, ScenarioResult>();
  for (const [, name, passed, failed, warned] of output.matchAll(
    /^[✓✗⚠]\s+([\w-]+): (\d+) passed, (\d+) failed(?:, (\d+) warnings?)?/gmu,
  ))
    results.set(name!, { passed: Number(passed), failed: Number(failed), warned: Number(warned ?? 0) });
  if (results.size === 0)
    throw new Error(`the suite said nothing of any scenario (${folder}):\n${output.slice(-2000)}`);
  return results;
}

/** One scenario of an extension, which no version of the protocol has by itself. */
export async function runScenario(node: string, url: string, version: string, name: string): Promise<ScenarioResult> {
  const { output } = await run(node, url, version, ['--scenario', name, '--force']);
  const [, passed, failed, warned] = /^Passed: (\d+)\/\d+, (\d+) failed, (\d+) warnings/m.exec(output) ?? [];
  if (passed === undefined) throw new Error(`the suite said nothing of ${name}:\n${output.slice(-2000)}`);
  return { passed: Number(passed), failed: Number(failed), warned: Number(warned) };
}

function run(
  node: string,
  url: string,
  version: string,
  which: readonly string[] = ['--suite', 'all'],
): Promise<{ output: string; folder: string }> {
  const suite = spawn(
    node,
    [
      `${modules}/@modelcontextprotocol/conformance/dist/index.js`,
      'server',
      '--url',
      url,
      ...which,
      '--spec-version',
      version,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  suite.stdout.on('data', (piece) => (output += piece));
  suite.stderr.on('data', (piece) => (output += piece));
  return new Promise((resolve, reject) => {
    suite.on('error', reject);
    suite.on('exit', () => resolve({ output, folder: version }));
  });
}
