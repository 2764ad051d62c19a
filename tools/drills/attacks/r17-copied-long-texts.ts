import { callOrThrow } from '../../testing/call-client.ts';
import type { Attack } from '../attack.ts';

const documents = 8;
const cells = 3500;

export const attack: Attack = {
  name: 'R17 eight documents, each copying a text of 32 KB into 3,500 cells',
  async run(server) {
    const call = callOrThrow.bind(undefined, server, server.attacker);
    await Promise.all(
      Array.from({ length: documents }, async (_, index) => {
        const { file_id } = await call('manage', 'create_file', { title: `R17 ${index}` });
        await call('sheet', 'write', { file_id, range: 'Sheet1!A1', rows: [['x'.repeat(32_000)]] });
        const copy = { file_id, source: 'Sheet1!A1', target: `Sheet1!A1:A${cells}` };
        for (let turn = 0; turn < 3; turn++) {
          const { code, msg } = await server.call('http', 'sheet', 'copy_range', copy, server.attacker);
          if (code !== 0 && code !== 310006 && code !== 310010) throw new Error(`copy_range: ${code} ${msg}`);
        }
      }),
    );
  },
};
