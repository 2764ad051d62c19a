import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { groupIntoRuns } from '../../../src/modules/sheet/cells/cell-input.ts';
import { addSheet } from '@sheaf/engine';
import { WorkerDocuments } from '../../../src/modules/sheet/host/worker-documents.ts';
import type { ToolAnswer } from '../../../src/modules/sheet/host/protocol.ts';
import { tools } from '../../../src/modules/sheet/tools.ts';

test("[finding R15] what would make a document's texts too large is refused with the limit, and taken back", () => {
  const thread = new WorkerDocuments(tools, newId, { maxCharacters: 1000 });
  const mutations = JSON.stringify([addSheet.of({ sheet: 's1', name: 'Sheet1' })]);
  thread.handle({
    do: 'open',
    file: 'd',
    snapshot: undefined,
    version: 0,
    revisions: [{ version: 1, at: 0, seed: 0, mutations }],
  } as never);
  let committed = 1;
  const enter = (row: number, text: string): ToolAnswer => {
    const contents = groupIntoRuns([{ row, col: 0, value_type: 'STRING', string_value: text }], () => '');
    const input = { file_id: 'd', sheet_id: 's1', contents };
    const request = { tool: 'set_cell_value', input, userId: 'u', isOwner: true, at: 0, seed: 1, isAtPage: false };
    const [answer] = (
      thread.handle({ do: 'run', file: 'd', committed, calls: [request] } as never) as { answers: ToolAnswer[] }
    ).answers;
    if (answer!.kind === 'write') committed += 1;
    return answer!;
  };
  expect(enter(0, 'a'.repeat(600)).kind).toBe('write');
  expect(enter(1, 'b'.repeat(600))).toEqual({
    kind: 'failure',
    word: 'limit_exceeded',
    message:
      "the texts of the document's cells would have 1200 characters, each different text counted once, and a document holds at most 1000",
  });
  expect((thread.handle({ do: 'text', file: 'd', limit: 10_000 }) as { body: string }).body).not.toContain('b');
  // A text that stands there already costs nothing more; one that was written over is free again.
  expect(enter(1, 'a'.repeat(600)).kind).toBe('write');
  expect(enter(0, 'c'.repeat(300)).kind).toBe('write');
  expect(enter(1, 'd'.repeat(600)).kind).toBe('write');
});
