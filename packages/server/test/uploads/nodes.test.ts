import { describe, expect, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { sendRaw, sha1Headers } from '@sheaf/tools/testing/signed-storage-requests.ts';
import { newGrant } from './support.ts';

describe('several nodes on one database', () => {
  test('what one node issued, every node accepts: credentials, links, sealed passwords', async () => {
    const databaseUrl = await freshPostgres();
    const folder = await temporaryFolder();
    const first = await startServer({ database: 'postgres', databaseUrl, folder });
    const second = await startServer({ database: 'postgres', databaseUrl, folder });
    const grant = await newGrant(first, { bytes: 5 });
    expect(
      await sendRaw(second.url, {
        path: `/${grant.cos_key}`,
        headers: { ...sha1Headers(grant), 'content-length': '5' },
        body: 'hello',
      }),
    ).toMatchObject({ status: 200 });
    const link = first.app.services.signedUrls.sign(grant.cos_key, {
      fileName: 'a.txt',
      contentType: 'text/plain',
      seconds: 60,
    });
    expect(await (await fetch(link.replace(first.url, second.url))).text()).toBe('hello');
    expect(second.app.services.sealer.unseal(first.app.services.sealer.seal('secret'))).toBe('secret');
    await second.close();
    await first.close();
  });

  test('another installation accepts none of them', async () => {
    const [first, second] = [await startServer(), await startServer()];
    const grant = await newGrant(first, { bytes: 5 });
    expect(second.app.services.uploadCredentials.open(grant.token)).toBeUndefined();
    expect(second.app.services.sealer.unseal(first.app.services.sealer.seal('secret'))).toBeUndefined();
    await first.close();
    await second.close();
  });
});
