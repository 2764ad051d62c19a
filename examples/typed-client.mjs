// @ts-check
// A script with the typed client: it writes a note, adds to it, and finds it by a word. Editors complete every call.
//   SHEAF_URL=http://127.0.0.1:8787 SHEAF_CLIENT_ID=... SHEAF_API_KEY=sk_... node examples/typed-client.mjs
import { createClient, SheafError } from 'sheaf/client';

const { SHEAF_URL: url = 'http://127.0.0.1:8787', SHEAF_CLIENT_ID: clientId, SHEAF_API_KEY: apiKey } = process.env;
const sheaf = createClient({ url, clientId, apiKey });

const { note_id } = await sheaf.note.import_doc({ content_format: 1, content: '# Garden\n\n- prune the medlar' });
await sheaf.note.append_doc({ note_id, content_format: 1, content: '- water the quince' });
const { content } = await sheaf.note.get_doc_content({ note_id, target_content_format: 0 });
console.log(content);

try {
  await sheaf.note.get_doc_content({ note_id: 'note_of_nobody', target_content_format: 0 });
} catch (error) {
  if (!(error instanceof SheafError)) throw error;
  console.log(`refused with ${error.code}: ${error.message}`);
}
