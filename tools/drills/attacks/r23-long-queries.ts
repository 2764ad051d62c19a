import { callOrThrow } from '../../testing/call-client.ts';
import type { Attack } from '../attack.ts';

const documents = 4;
const questions = 6;
const long = 'x'.repeat(32_000);
/**
 * A query over a sheet, in SQL, close to the maximum length. Each of its terms replaces every `x` in a text by the
 * whole text.
 */
const query = `select ${Array.from({ length: 400 }, () => "replace(t,'x',t)").join(',')} from Sheet1`;

export const attack: Attack = {
  name: 'R23 questions of 10 KB about three texts of 32 KB',
  async run(server) {
    const call = callOrThrow.bind(undefined, server, server.attacker);
    await Promise.all(
      Array.from({ length: documents }, async (_, index) => {
        const { file_id } = await call('manage', 'create_file', { title: `R23 ${index}` });
        await call('sheet', 'write', { file_id, range: 'Sheet1!A1', rows: [['t'], [long], [long], [long]] });
        for (let turn = 0; turn < questions; turn++) {
          const { code, msg } = await server.call('http', 'sheet', 'query', { file_id, query }, server.attacker);
          if (code !== 0 && code !== 310010) throw new Error(`query: ${code} ${msg}`);
        }
      }),
    );
  },
};
