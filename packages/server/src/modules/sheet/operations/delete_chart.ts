import { text } from '../../../kernel/field-schemas.ts';
import { requireChart } from '../charts/chart-location.ts';
import { removeChart } from '@sheaf/engine/internal/mutations';
import { worksheetWriteTool } from '../calls/tool.ts';

export const delete_chart = worksheetWriteTool({
  name: 'delete_chart',
  summary: 'Deletes a chart; its data is kept.',
  effect: 'destroy',
  input: { drawing_id: text('Which.', { min: 1, max: 64 }) },
  plan(document, sub, input) {
    return { mutations: [removeChart.of({ sheet: sub.id, id: requireChart(sub, input.drawing_id).id })] };
  },
});
