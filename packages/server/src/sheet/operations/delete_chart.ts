import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { chartOf } from '../charts/schema.ts';
import { removeChart } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_chart = writeTool({
  name: 'delete_chart',
  summary: 'Deletes a chart; its data is kept.',
  effect: 'destroy',
  input: z.object({ ...fileFields, ...sheetField, drawing_id: text('Which.', { min: 1, max: 64 }), ...changesField }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    return { mutations: [removeChart.of({ sheet: sub.id, id: chartOf(sub, input.drawing_id).id })] };
  },
});
