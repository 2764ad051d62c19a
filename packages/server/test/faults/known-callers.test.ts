/** Nodes remember who was let in. Whoever is suspended or revoked is refused everywhere with the next request all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { callable, type Callable, type Key } from '@sheaf/tools/testing/call-client.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { startRoundTripProxy, type RoundTripProxy } from '@sheaf/tools/testing/round-trip-proxy.ts';

interface Cluster {
  nodes: NodeProcess[];
  wires: RoundTripProxy[];
  calls: Callable[];
}

async function threeNodes(): Promise<Cluster> {
  const url = await freshPostgres();
  const nodes: NodeProcess[] = [];
  const wires: RoundTripProxy[] = [];
  let key: Key | undefined;
  for (let index = 0; index < 3; index++) {
    const wire = await startRoundTripProxy(url);
    onTestFinished(() => wire.close());
    const folder = await temporaryFolder();
    // Events, and with them the lease, go through the wire; everything else does not.
    const node = await startNode({ folder, env: { SHEAF_DATABASE_URL: url, SHEAF_DATABASE_DIRECT_URL: wire.url } });
    onTestFinished(async () => {
      node.child.kill('SIGCONT');
      await node.stop();
    });
    key ??= await ownerKey(folder);
    nodes.push(node);
    wires.push(wire);
  }
  return { nodes, wires, calls: nodes.map((node) => callable(node.url, key!)) };
}

const me = (node: Callable, as: Key) => node.call('http', 'account', 'get_me', {}, as);

/** Until the node answers by what it remembers: it has been asked with a lease in its hands. */
async function known(calls: readonly Callable[], as: Key): Promise<void> {
  for (let round = 0; round < 5; round++) {
    for (const node of calls) expect((await me(node, as)).msg).toBe('success');
    await sleep(50);
  }
}

const suspended = 410009;
const unauthenticated = 20004;

async function suspend(node: Callable, user: Key): Promise<void> {
  const answer = await node.call('http', 'account', 'suspend_user', { user_id: user.userId });
  expect(answer.msg).toBe('success');
}

test(
  '[finding Q10] suspending, revoking and unsharing answer when every node knows; frozen and cut-off nodes learn in time',
  { timeout: 280_000 },
  async () => {
    const { nodes, wires, calls } = await threeNodes();
    const [first, second, third] = calls as [Callable, Callable, Callable];

    for (let round = 0; round < 8; round++) {
      const user = await first.newUser();
      await known(calls, user);
      await suspend(calls[round % 3]!, user);
      const answers = await Promise.all(calls.map((node) => me(node, user)));
      expect(answers.map(({ code }) => code)).toEqual([suspended, suspended, suspended]);
    }

    const revoked = await first.newUser();
    await known(calls, revoked);
    const { data } = await second.call('http', 'account', 'list_keys', { user_id: revoked.userId });
    await second.call('http', 'account', 'revoke_key', { key_id: data.keys[0].key_id, user_id: revoked.userId });
    expect((await me(third, revoked)).code).toBe(unauthenticated);

    // A role on a document is remembered too: an edit through another node is refused once it was taken away.
    const guest = await first.newUser();
    const { data: file } = await first.call('http', 'manage', 'create_file', { title: 'Shared' });
    const share = (role: string) =>
      first.call('http', 'manage', 'share_file', { file_id: file.file_id, user_id: guest.userId, role });
    expect((await share('editor')).msg).toBe('success');
    const edit = (node: Callable) =>
      node.call(
        'http',
        'sheet',
        'set_cell_value',
        { file_id: file.file_id, sheet_id: file.sheet_id, row: 0, col: 0, value_type: 'NUMBER', number_value: 1 },
        guest,
      );
    for (let n = 0; n < 3; n++) for (const node of calls) expect((await edit(node)).msg).toBe('success');
    expect((await share('viewer')).msg).toBe('success');
    const edits = await Promise.all(calls.map(edit));
    expect(edits.map(({ code }) => code !== 0)).toEqual([true, true, true]);

    // What another node added is there for an edit that did not ask: refused by an old view, it looks once more.
    for (let n = 0; n < 5; n++) {
      const added = await first.call('http', 'sheet', 'add_sheet', { file_id: file.file_id, sheet_name: `More ${n}` });
      expect(added.msg).toBe('success');
      const inIt = { file_id: file.file_id, sheet_id: added.data.sheet_id, row: 0, col: 0 };
      const written = await second.call('http', 'sheet', 'set_cell_value', {
        ...inIt,
        value_type: 'NUMBER',
        number_value: n,
      });
      expect(written.msg).toBe('success');
    }

    // Frozen with a lease in its hands: the one who suspends waits until it has run out.
    for (let round = 0; round < 3; round++) {
      const user = await first.newUser();
      await known(calls, user);
      nodes[2]!.child.kill('SIGSTOP');
      await suspend(first, user);
      nodes[2]!.child.kill('SIGCONT');
      expect((await me(third, user)).code).toBe(suspended);
    }

    // Cut off from events it cannot hear of it, and has no lease to answer by either.
    const cutOff = await first.newUser();
    await known(calls, cutOff);
    wires[2]!.cut();
    await suspend(first, cutOff);
    expect((await me(third, cutOff)).code).toBe(suspended);
    wires[2]!.restore();
    const back = await first.newUser();
    await known(calls, back);
    await suspend(third, back);
    for (const node of calls) expect((await me(node, back)).code).toBe(suspended);
    expect(nodes.map((node) => node.isAlive())).toEqual([true, true, true]);
  },
);
