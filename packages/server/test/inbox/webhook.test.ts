import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { callsOf } from './support.ts';

eachServer(
  'webhooks of inboxes',
  (server) => {
    const { ask, done, newNote, shareNote, nameOf } = callsOf(() => server());
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await startReceiver();
    });
    afterAll(() => receiver.close());

    test('[T92] an inbox tells that it has news, never what, and nothing about what may no longer be seen', async () => {
      const [ada, ben] = [await server().newUser(), await server().newUser()];
      const url = `${receiver.url}/ben`;
      const { webhook } = await done('account.create_webhook', { url, inbox: true }, ben);
      expect(webhook).toMatchObject({ kind: 'inbox', subject_id: ben.userId, state: 'active' });
      const heard = () => receiver.received.filter((one) => one.path === '/ben');
      const deliveries = async (): Promise<any[]> =>
        (await done('account.list_deliveries', { webhook_id: webhook.webhook_id }, ben)).deliveries;
      const id = await newNote('# Secret title', ada);
      await shareNote(id, ben, 'comment', ada);
      await vi.waitFor(() => expect(heard()).toHaveLength(1), { timeout: 20_000 });
      expect(heard()[0]!.body).toMatchObject({
        kind: 'inbox',
        events: [{ operation: 'inbox.changed', user_id: '', target: '' }],
      });
      await done('inbox.follow', { kind: 'note', id }, ben);
      await done('note.update_note', { note_id: id, content: '# Secret title\n\nmore' }, ada);
      await vi.waitFor(() => expect(heard()).toHaveLength(2), { timeout: 20_000 });
      await done('note.comment_note', { note_id: id, text: `@${await nameOf(ben)} secret` }, ada);
      await vi.waitFor(() => expect(heard()).toHaveLength(3), { timeout: 20_000 });
      // Own writes, other objects and what may no longer be seen are no news.
      await newNote('# Own', ben);
      await newNote('# Other', ada);
      await done('sharing.unshare', { kind: 'note', id, user_id: ben.userId }, ada);
      await done('note.update_note', { note_id: id, content: '# Secret title\n\nmost' }, ada);
      await vi.waitFor(
        async () =>
          expect((await deliveries())[0]).toMatchObject({
            state: 'dropped',
            reason: 'nothing in the inbox is new, or may still be seen',
          }),
        { timeout: 20_000 },
      );
      expect(heard()).toHaveLength(3);
      for (const one of heard()) {
        expect(one.text).not.toMatch(/secret/i);
        expect(one.text).not.toContain(id);
        expect(one.text).not.toContain(ada.userId);
      }
      expect((await ask('account.create_webhook', { url, inbox: true, file_id: 'x' }, ben)).code).not.toBe(0);
    });
  },
  { config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } },
);
