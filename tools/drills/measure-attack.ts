/** Measures the effect of one attack on the other users of a server. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callable } from '../testing/call-client.ts';
import { bundleProgram, type Program } from '../testing/bundled-process.ts';
import { killServer, startKillableServer } from '../testing/killable-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import type { Attack, Target } from './attack.ts';

/**
 * Slowest response times in milliseconds and highest memory use in megabytes during an attack, and the failed calls.
 */
export interface AttackMeasurements {
  healthMs: number;
  editMs: number;
  noteMs: number;
  memoryMb: number;
  probes: number;
  failures: string[];
}

/** Maximum response times and memory use of the server during an attack. */
export const limits = { healthMs: 250, editMs: 1000, noteMs: 1000, memoryMb: 600 };

/** Time for which probing continues after the attack, because its remaining work may still affect the server. */
const afterMs = 2000;

export async function measureAttack(attack: Attack): Promise<AttackMeasurements> {
  const prober = await bundleProgram('tools/drills/prober.ts');
  const folder = await temporaryFolder();
  const running = await startKillableServer(folder, attack.env);
  try {
    const stored = await readFile(join(folder, 'credentials.json'), 'utf8');
    const first = JSON.parse(stored) as { client_id: string; api_key: string; user_id: string };
    const owner = { userId: first.user_id, clientId: first.client_id, apiKey: first.api_key };
    const server = callable(running.url, owner);
    const target: Target = { ...server, attacker: await server.newUser(), pid: running.child.pid! };
    await attack.prepare?.(target);
    const report = await startProber(prober, target);
    try {
      await attack.run(target);
      await sleep(afterMs);
    } finally {
      await report();
    }
    return await report();
  } finally {
    await killServer(running);
  }
}

/**
 * Creates a user with a document and starts the prober, a process that calls the server as this user during the attack.
 * Returns a function that stops the prober and returns its measurements.
 */
async function startProber(prober: Program, server: Target): Promise<() => Promise<AttackMeasurements>> {
  const bystander = await server.newUser();
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Bystander' }, bystander);
  // Edit once before probing, because the first edit opens the document and must not be measured.
  const cell = { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 };
  await server.call('http', 'sheet', 'set_cell_value', { ...data, ...cell }, bystander);
  const child = prober.start([
    server.url,
    String(server.pid),
    bystander.clientId,
    bystander.apiKey,
    data.file_id as string,
    data.sheet_id as string,
  ]);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const closed = once(child, 'close');
  while (!output.startsWith('ready\n') && child.exitCode === null) await sleep(10);
  return async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await closed;
    return JSON.parse(output.slice('ready\n'.length)) as AttackMeasurements;
  };
}
