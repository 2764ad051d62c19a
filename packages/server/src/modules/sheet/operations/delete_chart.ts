import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { requireChart } from '../charts/chart-location.ts';
import { removeChart } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_chart = writeTool({
  name: 'delete_chart',
  summary: 'Deletes a chart; its data is kept.',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    ...sheetField,
    drawing_id: text('Which.', { min: 1, max: 64 }),
    ...writeOptionFields,
  }),
  output: writeOutput,
  plan(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    return { mutations: [removeChart.of({ sheet: sub.id, id: requireChart(sub, input.drawing_id).id })] };
  },
});
