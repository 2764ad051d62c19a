import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '@sheaf/server/app.ts';
import { readConfig } from '@sheaf/server/config.ts';
import { ensureInitialOwner } from '@sheaf/server/initial-owner.ts';
import { newId } from '@sheaf/server/lib/ids.ts';
import { buildPreview } from '@sheaf/server/modules/note/parse-markdown.ts';
import type { Row } from '../measure/report.ts';
import { imported } from '../wiki.ts';
import { prepare, settings, startServer, type Server } from '../wiki/server.ts';
import { corpus } from './corpus.ts';

export interface Written {
  written: number;
  found: number;
  cpuSeconds: number;
}

/** Writes notes in one account with 64 concurrent writers, then waits until a word of the last note is found. */
export async function writeNotes(count: number): Promise<Written> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const app = await createApp(readConfig(settings(folder)));
  try {
    const made = await ensureInitialOwner(app, 'http://127.0.0.1');
    if (!made) throw new Error('the database is not empty');
    const { services } = app;
    const userId = made.credentials.user_id;
    await services.searchFeed.waitUntilDrained();
    const limits = { noteBytes: 2 ** 20, quotaBytes: 2 ** 40, notebooks: 1000 };
    // Creates the texts beforehand, so that generating them is not measured.
    const texts = [...corpus({ count, seed: 9 })].map(({ title, body }) => ({ title, body }));
    const cpu = process.cpuUsage();
    const started = performance.now();
    let number = 0;
    const writer = async (): Promise<void> => {
      for (let text = texts[number]; text; text = texts[number]) {
        const { title, body } = text;
        const markdown = `# ${title}\n\n${body}\n\nwritten${++number}\n`;
        const stamp = { at: Date.now(), userId, keyId: '', operation: 'bench', requestId: '' };
        const face = buildPreview(await services.markdown.parseHead(markdown, userId), title);
        await services.notes.create(
          stamp,
          { id: newId('note'), userId, preview: face, isTitled: false, markdown },
          limits,
        );
        services.searchFeed.wake();
      }
    };
    await Promise.all(Array.from({ length: 64 }, writer));
    const written = (performance.now() - started) / 1000;
    const query = { space: 'note', owners: [userId], anywhere: `written${count}`, order: 'rank' } as const;
    for (;;) {
      if ((await services.search.search({ ...query, offset: 0, limit: 1 })).total === 1) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const found = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return { written, found, cpuSeconds: (user + system) / 1e6 };
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export function notesRow(where: string, count: number, { written, found, cpuSeconds }: Written): Row {
  const after = found - written;
  return {
    what: `${where}: ${count} notes written in ${written.toFixed(1)} s (${cpuSeconds.toFixed(0)} s of processor), the last one found`,
    value: `${after.toFixed(1)} s after its answer`,
    goal: '<= 10 s',
    met: after <= 10,
  };
}

/**
 * Measures 1,000 files uploaded over HTTP, parsed and found: by a fresh server, and again once it is warm. `bundle` exports
 * `serve`; the database's processor time counts as the server's.
 */
export async function measureUploads(
  where: string,
  bundle: string,
  ofDatabase?: () => Promise<number>,
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  try {
    const credentials = await prepare(folder);
    const started = await startServer(bundle, folder, credentials);
    const server: Server = {
      ...started,
      cpuSeconds: async () => (await started.cpuSeconds()) + ((await ofDatabase?.()) ?? 0),
    };
    try {
      await imported(server, 200, 'upload_knowledge');
      const rows: Row[] = [];
      for (const when of ['just started', 'running']) {
        const row = await imported(server, 1000, 'upload_knowledge');
        rows.push({ ...row, what: `${where}, ${when}: ${row.what}` });
      }
      return rows;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
