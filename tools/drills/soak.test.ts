import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call as callHttp } from '@sheaf/client';
import { killServer, startKillableServer } from '../testing/killable-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const seconds = Number(process.env['SHEAF_SOAK_SECONDS'] ?? 6);
const callers = 4;
const walLimit = 80 * 2 ** 20;

interface Reading {
  files: number;
  memory: number;
  wal: number;
}

/** Reads memory, open files and disk use of a process from /proc (Linux). */
async function reading(pid: number, folder: string): Promise<Reading> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return {
    files: (await readdir(`/proc/${pid}/fd`)).length,
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
    wal: (await stat(join(folder, 'sheaf.db-wal'))).size,
  };
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

test.runIf(process.platform === 'linux')(
  `[T79] ${seconds} s of notes, knowledge and sheets without pause: open files, log and memory stay flat`,
  { timeout: 60_000 + seconds * 2000 },
  async () => {
    const folder = await temporaryFolder();
    const running = await startKillableServer(folder);
    const { client_id: clientId, api_key: apiKey } = JSON.parse(
      await readFile(join(folder, 'credentials.json'), 'utf8'),
    ) as { client_id: string; api_key: string };
    const call = async (module: string, operation: string, input: unknown): Promise<Record<string, any>> => {
      const answer = await callHttp({ url: running.url, clientId, apiKey }, module, operation, input);
      expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
      return answer.data as Record<string, any>;
    };
    try {
      const { file_id, sheet_id } = await call('manage', 'create_file', { title: 'Soak' });
      const { knowledge_base_id: base } = await call('wiki', 'create_knowledge_base', { name: 'Soak' });
      const end = performance.now() + seconds * 1000;
      let rounds = 0;
      // Each round deletes everything it creates, so only leaks can grow.
      const work = async (caller: number): Promise<void> => {
        for (let turn = 0; performance.now() < end; turn++) {
          const { note_id } = await call('note', 'import_doc', {
            content_format: 1,
            content: `# Soak ${caller} ${turn}\n\nwords of turn ${turn}`,
          });
          await call('note', 'search_note', {
            search_type: 1,
            query_info: { content: `turn ${turn}` },
            start: 0,
            end: 5,
          });
          await call('sheet', 'set_cell_value', {
            file_id,
            sheet_id,
            row: turn % 200,
            col: caller,
            value_type: 'NUMBER',
            number_value: turn,
          });
          const { media_id } = await call('wiki', 'upload_knowledge', {
            knowledge_base_id: base,
            file_name: `soak-${caller}-${turn}.md`,
            content: Buffer.from(`# File ${turn}\n\nof the soak`).toString('base64'),
          });
          await call('wiki', 'search_knowledge', { knowledge_base_id: base, query: 'soak', cursor: '' });
          await call('wiki', 'delete_knowledge', { knowledge_base_id: base, media_ids: [media_id] });
          await call('note', 'delete_note', { note_id });
          rounds++;
        }
      };
      const readings: Reading[] = [];
      const watch = async (): Promise<void> => {
        while (performance.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 24));
          readings.push(await reading(running.child.pid!, folder));
        }
      };
      await Promise.all([watch(), ...Array.from({ length: callers }, (_, caller) => work(caller))]);
      const quarter = Math.floor(readings.length / 4);
      const [early, late] = [readings.slice(quarter, 2 * quarter), readings.slice(-quarter)];
      const tell = (part: Reading[]) =>
        `${median(part.map(({ files }) => files))} files, ${median(part.map(({ memory }) => memory)).toFixed(0)} MB`;
      console.log(
        `soak: ${rounds} rounds in ${seconds} s; second quarter ${tell(early)}; last quarter ${tell(late)}; ` +
          `log at most ${(Math.max(...readings.map(({ wal }) => wal)) / 2 ** 20).toFixed(1)} MiB`,
      );
      expect(rounds).toBeGreaterThan(0);
      // The number of threads and parsers varies, but one leaked file handle per round would add up to hundreds.
      expect(median(late.map(({ files }) => files)) - median(early.map(({ files }) => files))).toBeLessThan(20);
      expect(Math.max(...readings.map(({ wal }) => wal))).toBeLessThan(walLimit);
      if (seconds >= 120)
        expect(median(late.map(({ memory }) => memory))).toBeLessThan(1.25 * median(early.map(({ memory }) => memory)));
    } finally {
      await killServer(running);
    }
  },
);
