import { invalid } from '../errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { moveSheet } from '@sheaf/engine/internal/mutations';
import { writeTool } from '../calls/tool.ts';

export const move_sheet = writeTool({
  name: 'move_sheet',
  summary: 'Moves a sub-sheet to another tab position.',
  input: {
    src_index: integer('Current tab position, starting at 0.', { min: 0 }),
    dest_index: integer('Tab position in the resulting order.', { min: 0 }),
  },
  plan(document, input) {
    const count = document.subSheets.length;
    for (const field of ['src_index', 'dest_index'] as const) {
      if (input[field] >= count)
        throw invalid(`${field}: must be at most ${count - 1}, the last sub-sheet (got ${input[field]})`);
    }
    if (input.src_index === input.dest_index) return { mutations: [] };
    return { mutations: [moveSheet.of({ sheet: document.subSheets[input.src_index]!.id, to: input.dest_index })] };
  },
});
