import type { UploadCredential } from '@sheaf/server/ports/upload-credentials.ts';
import { callOrThrow } from '../../testing/call-client.ts';
import { sendRaw, sha1Headers } from '../../testing/signed-storage-requests.ts';
import type { Attack } from '../attack.ts';

const opened = '<Part>';
const body = `<CompleteMultipartUpload>${opened.repeat(Math.floor((200 * 1024) / opened.length))}`;
const uploadId = 'none-such';

export const attack: Attack = {
  name: 'R2 lists of parts, 200 KB, never closed',
  async run(server) {
    const call = callOrThrow.bind(undefined, server, server.attacker, 'wiki');
    const { knowledge_base_id } = await call('create_knowledge_base', { name: 'R2' });
    const file = { file_name: 'a.txt', file_size: 10, content_type: 'text/plain', file_ext: 'txt', knowledge_base_id };
    const credential = (await call('create_media', file)).cos_credential as UploadCredential;
    const path = `/${credential.cos_key}`;
    for (let turn = 0; turn < 3; turn++) {
      const headers = sha1Headers(credential, { method: 'POST', path, query: { uploadId } });
      const answer = await sendRaw(server.url, { method: 'POST', path: `${path}?uploadId=${uploadId}`, headers, body });
      // A server that rejects the signature does not read the part list, so the attack would test nothing.
      if (answer.status === 403) throw new Error(`the attack was refused before its list was read: ${answer.body}`);
    }
  },
};
