/**
 * Measures the effect of an attack on other users: repeats a health check, a cell edit and the creation of a note
 * during the attack.
 */
import type { Callable, Key } from './call-client.ts';

export interface AttackImpact {
  /** Slowest response of each call, in milliseconds. */
  healthz: number;
  cell: number;
  note: number;
  rounds: number;
  /** Descriptions of the failed calls. */
  failures: string[];
}

export async function measureImpact<Result>(
  server: Callable,
  attack: () => Promise<Result>,
): Promise<{ felt: AttackImpact; result: Result }> {
  const bystander = await server.newUser();
  const made = await server.call('http', 'manage', 'create_file', { title: 'Bystander' }, bystander);
  const { file_id, sheet_id } = made.data as { file_id: string; sheet_id: string };
  const felt: AttackImpact = { healthz: 0, cell: 0, note: 0, rounds: 0, failures: [] };
  let isOver = false;

  const watchHealth = async (): Promise<void> => {
    while (!isOver) {
      felt.healthz = Math.max(
        felt.healthz,
        await elapsedMs(async () => {
          const answer = await fetch(`${server.url}/healthz`);
          await answer.arrayBuffer();
          if (answer.status !== 200) felt.failures.push(`/healthz ${answer.status}`);
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const watchWork = async (): Promise<void> => {
    while (!isOver || felt.rounds === 0) {
      const cell = {
        file_id,
        sheet_id,
        row: felt.rounds % 1000,
        col: 0,
        value_type: 'NUMBER',
        number_value: felt.rounds,
      };
      felt.cell = Math.max(
        felt.cell,
        await elapsedMs(() => expectDone(server, felt, 'sheet', 'set_cell_value', cell, bystander)),
      );
      const note = { content_format: 1, content: `# Plans ${felt.rounds}\n\n${'Some words of a note. '.repeat(60)}` };
      felt.note = Math.max(
        felt.note,
        await elapsedMs(() => expectDone(server, felt, 'note', 'import_doc', note, bystander)),
      );
      felt.rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const watching = [watchHealth(), watchWork()];
  try {
    return { felt, result: await attack() };
  } finally {
    isOver = true;
    await Promise.all(watching);
  }
}

export async function elapsedMs(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return Math.round(performance.now() - from);
}

async function expectDone(
  server: Callable,
  felt: AttackImpact,
  module: string,
  operation: string,
  input: unknown,
  as: Key,
): Promise<void> {
  const { code, msg } = await server.call('http', module, operation, input, as);
  if (code !== 0) felt.failures.push(`${module}.${operation}: ${code} ${msg}`);
}
