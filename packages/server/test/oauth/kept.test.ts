import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backup } from '../../src/adapters/backup/backup.ts';
import { restore } from '../../src/adapters/backup/restore.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { newDatabaseLocation, type DatabaseName } from '@sheaf/tools/testing/databases.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { connect } from './support.ts';

/** What is stored of apps and identities, as rows. */
const tables = ['oauth_client', 'oauth_grant', 'oauth_code', 'oauth_token', 'user_identity', 'web_session'];

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as [DatabaseName, DatabaseName][])(
  'a backup of %s restored to %s has apps, tokens and identities',
  async (from, to) => {
    const server = await startServer({ database: from });
    const place = await (await newDatabaseLocation(to)).connect();
    try {
      const member = await server.newUser();
      await connect(server, member);
      const { identities } = server.app.services;
      const stamp = { at: 1, userId: member.userId, keyId: '', operation: 'sso.link', requestId: '' };
      const identity = { id: 'identity_1', userId: member.userId, issuer: 'https://id.example', subject: 's' };
      expect(await identities.addIdentity(stamp, { ...identity, name: 'Ada', refreshSealed: 'x' })).toBe(true);
      const again = { ...identity, id: 'identity_2', userId: server.owner.userId };
      expect(await identities.addIdentity(stamp, { ...again, name: 'Ada', refreshSealed: null })).toBe(false);

      const { database } = server.app;
      const target = join(await temporaryFolder(), 'backup');
      await backup({ database, blobs: server.app.services.blobs, target });
      await restore({ database: place, blobs: new FilesystemBlobStore(await temporaryFolder()), source: target });
      for (const table of tables) {
        const rows = await database.all(`SELECT * FROM ${table} ORDER BY 1`);
        expect(rows.length).toBeGreaterThan(0);
        expect([table, await place.all(`SELECT * FROM ${table} ORDER BY 1`)]).toEqual([table, rows]);
      }
      await server.call('http', 'account', 'delete_user', { user_id: member.userId });
      for (const table of ['oauth_grant', 'oauth_code', 'oauth_token', 'user_identity'])
        expect([table, await database.all(`SELECT * FROM ${table}`)]).toEqual([table, []]);
    } finally {
      await place.close();
      await server.close();
    }
  },
);
