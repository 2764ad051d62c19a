import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '@sheaf/client';
import { callable, type Callable } from '@sheaf/tools/testing/call-client.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { newNote, storedText, Writer } from '../rooms/writer.ts';

const cuts = 200;
const wantedCharacters = 10_000;

/** Nodes of the product, each a process, and those of them that still run. */
class Nodes {
  readonly #processes: NodeProcess[];
  readonly callables: Callable[];
  #alive: Callable[];

  constructor(processes: NodeProcess[], callables: Callable[]) {
    this.#processes = processes;
    this.callables = callables;
    this.#alive = [...callables];
  }

  /** The node with the number, or once that is gone another one. */
  at(index: number): Callable {
    const wanted = this.callables[index]!;
    return this.#alive.includes(wanted) ? wanted : this.#alive[index % this.#alive.length]!;
  }

  async kill(url: string): Promise<void> {
    const { child } = this.#processes.find((one) => one.url === url)!;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    expect(await gone).toEqual([null, 'SIGKILL']);
    this.#alive = this.#alive.filter((one) => one.url !== url);
  }
}

async function startNodes(databaseUrl: string): Promise<Nodes> {
  const processes: NodeProcess[] = [];
  const callables: Callable[] = [];
  const folders = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  for (const folder of folders) {
    const node = await startNode({ folder, env: { SHEAF_DATABASE_URL: databaseUrl } });
    onTestFinished(async () => {
      await node.stop();
    });
    processes.push(node);
    callables.push(callable(node.url, await ownerKey(folders[0]!)));
  }
  return new Nodes(processes, callables);
}

test(
  '[finding P12] three writers and an agent over three nodes, of which the one with the open note is killed: one text, nothing lost, nothing twice',
  { timeout: 400_000 },
  async () => {
    const databaseUrl = await freshPostgres();
    const nodes = await startNodes(databaseUrl);
    const database = await openPostgres(databaseUrl, { connections: 1 });
    onTestFinished(() => database.close());
    const id = await newNote(nodes.at(0), '# Together\n\n0:\n\n1:\n\n2:\n\nend');
    const random = new SeededRandom(98);
    const writers = [0, 1, 2].map(() => new Writer(id));
    for (const [index, writer] of writers.entries()) await writer.syncSoon(() => nodes.at(index));
    const words: string[][] = [[], [], []];
    let done = 0;
    let characters = 0;
    const isOver = (): boolean => done >= cuts && characters >= wantedCharacters;
    // At the end of a line of their own, while the others write and nobody waits for anybody.
    const write = async (index: number): Promise<void> => {
      const writer = writers[index]!;
      while (!isOver()) {
        for (let count = 1 + random.below(4); count > 0; count--) {
          const word = `${index}.${words[index]!.length}${'x'.repeat(random.below(20))}`;
          words[index]!.push(word);
          characters += word.length;
          const line = new RegExp(`^${index}:.*$`, 'm').exec(writer.text)!;
          writer.type(` ${word}`, line.index + line[0].length);
        }
        // The answer is lost at every second message, so that it is sent again.
        const isCut = random.fraction() < 0.5;
        if (isCut) done += 1;
        await writer.syncSoon(() => nodes.at(index), isCut);
        await sleep(random.below(40));
      }
    };
    const appended: string[] = [];
    const append = async (): Promise<void> => {
      while (!isOver()) {
        const content = `agent ${appended.length} ${'y'.repeat(random.below(20))}z`;
        const options = { idempotencyKey: `append-${appended.length}` };
        for (let attempt = 0; ; attempt++) {
          const { url, owner } = nodes.at(appended.length % 3);
          const agent = createClient({ url, clientId: owner.clientId, apiKey: owner.apiKey });
          const input = { note_id: id, content_format: 1, content } as const;
          const reason = await agent.note.append_doc(input, options).then(() => undefined, String);
          if (reason === undefined) break;
          if (attempt === 100) throw new Error(`append_doc was not answered: ${reason}`);
          await sleep(300);
        }
        appended.push(content);
        await sleep(100 + random.below(200));
      }
    };
    const kill = async (): Promise<void> => {
      while (done < cuts / 2) await sleep(10);
      const held = await database.get<{ address: string }>(
        'SELECT address FROM document_lease WHERE resource = ?',
        `note:${id}`,
      );
      await nodes.kill(held!.address);
    };
    await Promise.all([write(0), write(1), write(2), append(), kill()]);
    const lines = words.map((said, index) => `${index}: ${said.join(' ')}`);
    const expected = ['# Together', ...lines, 'end', ...appended].join('\n\n');
    await expect
      .poll(
        async () => {
          for (const [index, writer] of writers.entries()) await writer.syncSoon(() => nodes.at(index));
          return writers.map(({ text }) => text);
        },
        { timeout: 60_000 },
      )
      .toEqual([expected, expected, expected]);
    await expect.poll(() => storedText(nodes.at(0), id), { timeout: 30_000 }).toBe(expected);
    expect(appended.length).toBeGreaterThan(5);
  },
);
