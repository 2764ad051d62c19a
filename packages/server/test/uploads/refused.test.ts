import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { sendRaw, sha1Headers } from '@sheaf/tools/testing/signed-storage-requests.ts';
import { newGrant } from './support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

/** Sends all of a large body without looking at what comes back meanwhile. */
function sendAll(head: string, bytes: number): Promise<{ text: string; error?: string }> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve({ text, error: error.code }));
    socket.on('close', () => resolve({ text }));
    socket.write(`${head}\r\nHost: 127.0.0.1\r\ncontent-length: ${bytes}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes, 'a'));
  });
}

describe('uploads that are refused', () => {
  test('[T43] a credential and an address for import do nothing for a user who was suspended meanwhile', async () => {
    const member = await server.newUser();
    const grant = await newGrant(server, { bytes: 5, userId: member.userId });
    const { data } = await server.call('http', 'manage', 'pre_import', { file_name: 'a.csv' }, member);
    await server.call('http', 'account', 'suspend_user', { user_id: member.userId });
    const upload = () =>
      sendRaw(server.url, {
        path: `/${grant.cos_key}`,
        headers: { ...sha1Headers(grant), 'content-length': '5' },
        body: 'hello',
      });
    const refused = await upload();
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.stringContaining('<Message>the user account is suspended or closed</Message>'),
    ]);
    const put = await fetch(data.upload_url, { method: 'PUT', body: 'a,b' });
    expect([put.status, await put.text()]).toEqual([403, 'The user account is suspended or closed.\n']);
    await server.call('http', 'account', 'resume_user', { user_id: member.userId });
    expect((await upload()).status).toBe(200);
  });

  test.each([
    ['object storage', 'PUT /media/x HTTP/1.1\r\nx-cos-security-token: none', '<Code>AccessDenied</Code>'],
    ['an address for import', 'PUT /files/imports/a/b HTTP/1.1', 'This address has expired'],
  ])('who sends 20 MiB to %s reads why it was refused', async (_name, head, reason) => {
    const { text, error } = await sendAll(head, 20 * 2 ** 20);
    expect([error, text.slice(0, 12)]).toEqual([undefined, 'HTTP/1.1 403']);
    expect(text).toContain(reason);
  });
});
