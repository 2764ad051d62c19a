import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { webhookBytes } from '../../src/ports/webhook-store.ts';
import { eachServer, startServer, type Key } from '@sheaf/tools/testing/test-server.ts';
import { signatureOf, startReceiver, type Receiver } from './receiver.ts';

eachServer(
  'webhooks',
  (server) => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await startReceiver();
    });
    afterAll(() => receiver.close());

    const done = async (operation: string, input: object, as?: Key): Promise<any> => {
      const [module, name] = operation.split('.') as [string, string];
      const answer = await server().call('http', module, name, input, as);
      expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
      return answer.data;
    };
    const refused = async (operation: string, input: object, as?: Key): Promise<string> => {
      const [module, name] = operation.split('.') as [string, string];
      const answer = await server().call('http', module, name, input, as);
      expect(answer.code).not.toBe(0);
      return answer.msg;
    };
    const listen = async (subject: object, as?: Key): Promise<{ id: string; secret: string; path: string }> => {
      const path = `/${Math.random().toString(36).slice(2)}`;
      const { webhook, secret } = await done('account.create_webhook', { url: receiver.url + path, ...subject }, as);
      return { id: webhook.webhook_id, secret, path };
    };
    const heardAt = (path: string) => receiver.received.filter((one) => one.path === path);
    const hasEvent = (path: string, operation: string, target: string) =>
      receiver.until(
        (one) =>
          one.path === path &&
          one.body.events.some((event: any) => event.operation === operation && event.target === target),
      );
    const deliveries = async (id: string, as?: Key): Promise<any[]> =>
      (await done('account.list_deliveries', { webhook_id: id }, as)).deliveries;
    const stateOf = async (id: string, as?: Key): Promise<{ state: string; reason: string }> =>
      (await done('account.list_webhooks', {}, as)).webhooks.find((one: any) => one.webhook_id === id);

    test('a document, a notebook and a base tell what happened to which id, signed, and what it was is not in it', async () => {
      const { file_id } = await done('manage.create_file', { title: 'Very secret budget' });
      const { knowledge_base_id } = await done('wiki.create_knowledge_base', { name: 'Confidential base' });
      const notebook_id = (await done('note.add_notebook', { name: 'Private diary' })).folder.folder_id;
      const document = await listen({ file_id });
      const base = await listen({ knowledge_base_id });
      const notebook = await listen({ notebook_id });

      await done('sheet.write', { file_id, range: 'A1', rows: [['classified']] });
      const written = await hasEvent(document.path, 'sheet.write', file_id);
      expect(written.body).toMatchObject({ type: 'changes', kind: 'document', subject_id: file_id, missed: false });
      expect(written.headers['webhook-signature']).toBe(signatureOf(document.secret, written));
      expect(written.headers['webhook-id']).toBe(written.body.delivery_id);
      expect(Math.abs(Number(written.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(600);

      const { folder_id } = await done('wiki.create_folder', { knowledge_base_id, name: 'Classified folder' });
      await hasEvent(base.path, 'wiki.create_folder', folder_id);
      const { note_id } = await done('note.import_doc', {
        content_format: 1,
        content: '# Classified',
        folder_id: notebook_id,
      });
      await hasEvent(notebook.path, 'note.import_doc', note_id);

      // A note that a base shows: who listens to the base hears of the item that shows it.
      const { media_id } = await done('wiki.add_knowledge', {
        media_type: 11,
        title: 'Classified item',
        knowledge_base_id,
        note_info: { content_id: note_id },
      });
      await hasEvent(base.path, 'wiki.add_knowledge', media_id);
      await done('note.append_doc', { note_id, content_format: 1, content: 'more classified text' });
      await hasEvent(base.path, 'note.append_doc', media_id);
      await hasEvent(notebook.path, 'note.append_doc', note_id);

      for (const one of receiver.received) expect(one.text).not.toMatch(/classified|confidential|private|secret/i);
      expect(heardAt(document.path).every(({ body }) => body.subject_id === file_id)).toBe(true);
      const [last] = await deliveries(document.id);
      expect(last).toMatchObject({ state: 'delivered', status: 204, attempts: 1, reason: '', event_count: 1 });
      // Reading and exporting change nothing.
      await done('manage.export_file', { file_id, format: 'csv' });
      await done('sheet.write', { file_id, range: 'A2', rows: [[1]] });
      await vi.waitFor(() => expect(heardAt(document.path).length).toBe(2), { timeout: 20_000 });
      expect(heardAt(document.path)[1]!.body.events.map((event: any) => event.operation)).toEqual(['sheet.write']);
    });

    test('a delivery that is not taken is sent again under its id, and a test shows whether it arrives', async () => {
      const { file_id } = await done('manage.create_file', { title: 'Retried' });
      const { id, path } = await listen({ file_id });
      receiver.answers.push({ status: 500 }, { status: 503 });
      const { delivery_id } = await done('account.test_webhook', { webhook_id: id });
      await vi.waitFor(async () => expect((await deliveries(id))[0].state).toBe('delivered'), { timeout: 30_000 });
      const sent = heardAt(path);
      expect(sent.map((one) => one.headers['webhook-id'])).toEqual([delivery_id, delivery_id, delivery_id]);
      expect(sent[0]!.body).toMatchObject({ type: 'test', events: [], webhook_id: id });
      expect((await deliveries(id))[0]).toMatchObject({ type: 'test', attempts: 3, status: 204 });
    });

    test('paused it says nothing; activated it goes on from then; deleted it is gone with what it counted', async () => {
      const ada = await server().newUser();
      const { file_id } = await done('manage.create_file', { title: 'Paused' }, ada);
      const { id, path, secret } = await listen({ file_id }, ada);
      const used = async (): Promise<number> =>
        (await server().app.database.get<{ bytes: number }>(
          'SELECT bytes FROM storage_use WHERE user_id = ?',
          ada.userId,
        ))!.bytes;
      const before = await used();
      await done('account.update_webhook', { webhook_id: id, active: false }, ada);
      await done('sheet.write', { file_id, range: 'A1', rows: [[1]] }, ada);
      const changed = await done('account.update_webhook', { webhook_id: id, active: true, new_secret: true }, ada);
      expect(changed.webhook).toMatchObject({ state: 'active', reason: '' });
      expect(changed.secret).not.toBe(secret);
      await done('sheet.write', { file_id, range: 'A2', rows: [[2]] }, ada);
      const first = await hasEvent(path, 'sheet.write', file_id);
      expect(first.body.events).toMatchObject([{ count: 1 }]);
      expect(first.headers['webhook-signature']).toBe(signatureOf(changed.secret, first));

      const bob = await server().newUser();
      for (const operation of ['update_webhook', 'delete_webhook', 'test_webhook', 'list_deliveries'])
        expect(await refused(`account.${operation}`, { webhook_id: id }, bob)).toContain(`there is no webhook "${id}"`);
      await done('account.delete_webhook', { webhook_id: id }, ada);
      expect((await done('account.list_webhooks', {}, ada)).webhooks).toEqual([]);
      expect(await used()).toBeLessThanOrEqual(before - webhookBytes + 16_384);
      const { rows } = await done('account.list_audit', { limit: 100 }, ada);
      expect(rows.map((row: any) => row.operation)).toEqual(
        expect.arrayContaining(['account.create_webhook', 'account.update_webhook', 'account.delete_webhook']),
      );
    });

    test('what is wrong is refused with the field: ids, quota, scope, strangers', async () => {
      const ada = await server().newUser();
      const { file_id } = await done('manage.create_file', { title: 'Mine' });
      expect(await refused('account.create_webhook', { url: receiver.url })).toMatch(/exactly one of them \(got 0\)/);
      expect(await refused('account.create_webhook', { url: receiver.url, file_id, notebook_id: 'x' })).toMatch(
        /exactly one of them \(got 2\)/,
      );
      expect(await refused('account.create_webhook', { url: receiver.url, file_id }, ada)).toContain(
        `file_id: there is no document "${file_id}" that you may see`,
      );
      const key = await done('account.create_key', { name: 'narrow', modules: ['account', 'note'] });
      const narrow = { userId: server().owner.userId, clientId: key.key.client_id, apiKey: key.api_key };
      expect(await refused('account.create_webhook', { url: receiver.url, file_id }, narrow)).toContain(
        'no access to the module sheet or manage',
      );
      await server().app.database.write(null, (tx) =>
        tx.execute('UPDATE user_account SET quota_bytes = 100 WHERE id = ?', ada.userId),
      );
      const notebook_id = (await done('note.add_notebook', { name: 'Small' }, ada)).folder.folder_id;
      expect(await refused('account.create_webhook', { url: receiver.url, notebook_id }, ada)).toContain('do not fit');
    });

    test('[T85] an address inside is refused, and a redirect is not followed', async () => {
      const { file_id } = await done('manage.create_file', { title: 'Guarded' });
      for (const url of [
        'http://10.0.0.8/hook',
        'http://[::1]:9999/',
        'http://169.254.169.254/latest',
        'ftp://x.example/',
      ])
        expect(await refused('account.create_webhook', { url, file_id })).toMatch(/^url: must be an http or https/);
      const { id, path } = await listen({ file_id });
      receiver.answers.push({ status: 302, location: `${receiver.url}/elsewhere` });
      await done('account.test_webhook', { webhook_id: id });
      await receiver.until((one) => one.path === path);
      await vi.waitFor(async () => expect((await deliveries(id))[0].status).toBeGreaterThan(0), { timeout: 30_000 });
      expect(heardAt('/elsewhere')).toEqual([]);
    });

    test('[T85] whoever loses access hears nothing more: member removed, key revoked, user suspended', async () => {
      const ada = await server().newUser();
      const { knowledge_base_id } = await done('wiki.create_knowledge_base', { name: 'Shared' });
      await done('wiki.set_member', { knowledge_base_id, user_id: ada.userId, role: 'viewer' });
      const member = await listen({ knowledge_base_id }, ada);
      const { folder_id } = await done('wiki.create_folder', { knowledge_base_id, name: 'one' });
      await hasEvent(member.path, 'wiki.create_folder', folder_id);
      await done('wiki.remove_member', { knowledge_base_id, user_id: ada.userId });
      await done('wiki.create_folder', { knowledge_base_id, name: 'two' });
      await vi.waitFor(async () => expect((await stateOf(member.id, ada)).state).toBe('ended'), { timeout: 20_000 });
      expect((await stateOf(member.id, ada)).reason).toContain('may no longer see the knowledge base');
      expect(heardAt(member.path).length).toBe(1);
      expect(await refused('account.update_webhook', { webhook_id: member.id, active: true }, ada)).toContain(
        'may see',
      );

      const made = await done('account.create_key', { name: 'short' }, ada);
      const key = { userId: ada.userId, clientId: made.key.client_id, apiKey: made.api_key };
      const { file_id } = await done('manage.create_file', { title: 'Mine' }, ada);
      const byKey = await listen({ file_id }, key);
      await done('account.revoke_key', { key_id: made.key.key_id }, ada);
      await done('sheet.write', { file_id, range: 'A1', rows: [[1]] }, ada);
      await vi.waitFor(async () => expect((await stateOf(byKey.id, ada)).state).toBe('ended'), { timeout: 20_000 });
      expect(heardAt(byKey.path)).toEqual([]);

      const other = await server().newUser();
      const shared = await done('manage.create_file', { title: 'Shared' });
      await done('manage.share_file', { file_id: shared.file_id, user_id: other.userId, role: 'viewer' });
      const suspended = await listen({ file_id: shared.file_id }, other);
      await done('account.suspend_user', { user_id: other.userId });
      await done('sheet.write', { file_id: shared.file_id, range: 'A1', rows: [[1]] });
      await vi.waitFor(
        async () => {
          const row = await server().app.database.get<{ state: string }>(
            'SELECT state FROM webhook WHERE id = ?',
            suspended.id,
          );
          expect(row?.state).toBe('ended');
        },
        { timeout: 20_000 },
      );
      expect(heardAt(suspended.path)).toEqual([]);
      await done('account.delete_user', { user_id: other.userId });
      const { database } = server().app;
      expect(await database.all('SELECT id FROM webhook WHERE user_id = ?', other.userId)).toEqual([]);
      expect(await database.all('SELECT id FROM webhook_delivery WHERE webhook_id = ?', suspended.id)).toEqual([]);
    });

    test('while nobody answers a bounded number waits; then one delivery says that more happened', async () => {
      const { file_id } = await done('manage.create_file', { title: 'Busy' });
      const { id } = await listen({ file_id });
      const { database } = server().app;
      await done('account.update_webhook', { webhook_id: id, active: false });
      for (let n = 0; n < 30; n++)
        await database.write(null, (tx) =>
          tx.execute(
            `INSERT INTO webhook_delivery (id, webhook_id, type, state, events, missed, attempts, status, reason, created_at, updated_at)
             VALUES (?, ?, 'changes', 'waiting', '[]', 0, 0, 0, '', 0, 0)`,
            `delivery_0${n}${id}`,
            id,
          ),
        );
      await done('account.update_webhook', { webhook_id: id, active: true });
      await done('sheet.write', { file_id, range: 'A1', rows: [[1]] });
      await vi.waitFor(
        async () => expect(await database.get('SELECT missed FROM webhook WHERE id = ?', id)).toEqual({ missed: 1 }),
        { timeout: 20_000 },
      );
      await database.write(null, (tx) =>
        tx.execute("UPDATE webhook_delivery SET state = 'failed' WHERE webhook_id = ?", id),
      );
      const late = await receiver.until((one) => one.body.webhook_id === id && one.body.missed === true);
      expect(late.body.events).toEqual([]);
    });
  },
  { config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } },
);

test('[T85] a name that leads to an address inside is refused when something is sent, and looks like one that does not exist', async () => {
  const receiver = await startReceiver();
  const server = await startServer();
  try {
    const { data } = await server.call('http', 'manage', 'create_file', { title: 'Named' });
    const urls = [receiver.url.replace('127.0.0.1', 'localhost'), 'https://absent.invalid/'];
    for (const url of urls) {
      const made = await server.call('http', 'account', 'create_webhook', { url, file_id: data.file_id });
      const { webhook_id } = made.data.webhook;
      await server.call('http', 'account', 'test_webhook', { webhook_id });
      await vi.waitFor(
        async () => {
          const listed = await server.call('http', 'account', 'list_deliveries', { webhook_id });
          expect(listed.data.deliveries[0]).toMatchObject({ state: 'waiting', status: 0, attempts: 1 });
          expect(listed.data.deliveries[0].reason).toContain('the host does not exist or is in a private network');
        },
        { timeout: 20_000 },
      );
    }
    expect(receiver.received).toEqual([]);
  } finally {
    await server.close();
    await receiver.close();
  }
});
