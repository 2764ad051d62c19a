import { get } from 'node:http';
import type { Running } from './servers.ts';

const listeners = 2000;
/** Number of event streams opened per user. It is below the number that the server allows. */
const streamsPerUser = 60;
const editsPerRun = 5;

/**
 * Opens an event stream of a document. Resolves at the first event, and calls `heard` for every event. Connections use
 * several local addresses, because the server limits the number of connections per address.
 */
function listen(address: string, apiKey: string, place: number, heard: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization: apiKey }, agent: false, localAddress: `127.0.0.${2 + (place % 4)}` };
    const request = get(address, options, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${address}: ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        const events = (text + piece).split('\n\n');
        text = events.pop()!;
        for (const event of events) {
          if (!event.startsWith('data: ')) continue;
          resolve();
          heard();
        }
      });
    });
    request.on('error', reject);
  });
}

/**
 * Opens many event streams of one document and returns the function to measure. It edits the document several times and
 * waits each time until all streams have received the event.
 */
export async function listenersWork(server: Running): Promise<Record<string, () => Promise<unknown>>> {
  const { file_id, sheet_id } = (await server.ask('manage', 'create_file', { title: 'Heard' })) as Record<
    string,
    string
  >;
  let heard = 0;
  let wake = (): void => undefined;
  const keys: string[] = [];
  while (keys.length * streamsPerUser < listeners) {
    const { user } = await server.ask('account', 'create_user', { name: `listener${keys.length}` });
    const { user_id } = user as { user_id: string };
    await server.ask('manage', 'share_file', { file_id, user_id, role: 'viewer' });
    keys.push((await server.ask('account', 'create_key', { name: 'bench', user_id }))['api_key'] as string);
  }
  const address = `${server.url}/openapi/sheet/v1/events?file_id=${file_id}`;
  for (let opened = 0; opened < listeners; opened += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        listen(address, keys[Math.floor((opened + index) / streamsPerUser)]!, index, () => {
          heard++;
          wake();
        }),
      ),
    );
  let value = 0;
  const edit = async (): Promise<void> => {
    heard = 0;
    const all = new Promise<void>((resolve) => {
      wake = () => heard === listeners && resolve();
    });
    await server.ask('sheet', 'set_cell_value', {
      file_id,
      sheet_id,
      cell: { row: 0, col: 0, value_type: 'NUMBER', number_value: value++ },
    });
    await all;
  };
  return {
    [`an edit that ${listeners} listeners hear`]: async () => {
      for (let count = 0; count < editsPerRun; count++) await edit();
    },
  };
}
