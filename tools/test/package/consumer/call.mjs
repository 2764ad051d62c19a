// A consumer's script: uses every native dependency through the server of the given data folder, and loads the engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SheafError, createClient } from 'sheaf/client';
import * as engine from 'sheaf/engine';

const {
  url,
  client_id: clientId,
  api_key: apiKey,
} = JSON.parse(readFileSync(join(process.argv[2], 'credentials.json'), 'utf8'));
const sheaf = createClient({ url, clientId, apiKey });

const { note_id: note } = await sheaf.note.import_doc({ content_format: 1, content: '# Pears\n\nare green' });
const { content } = await sheaf.note.get_doc_content({ note_id: note, target_content_format: 0 });
const refusal = await sheaf.note.import_doc({ content_format: 1, content: '' }).catch((error) => error);

await sheaf.account.set_password({ password: 'correct horse' });

const { file_id: file, sheet_id: sheet } = await sheaf.manage.create_file({ title: 'Budget' });
const at = { file_id: file, sheet_id: sheet };
await sheaf.sheet.set_range_value_by_csv({
  ...at,
  start_row: 0,
  start_col: 0,
  csv_data: 'fruit,kilos\npears,3\nplums,=B2*2',
});
const { cells } = await sheaf.sheet.get_cell_data({ ...at, start_row: 2, start_col: 1, end_row: 2, end_col: 1 });
const drawing = {
  drawing_id: 'kilos',
  chart_type: 'CHART_PIE',
  data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 1 },
};
await sheaf.sheet.add_chart({ ...at, ...drawing });
const picture = await sheaf.sheet.render_chart({ ...at, drawing_id: 'kilos', format: 'png' });

const code = refusal instanceof SheafError ? refusal.code : String(refusal);
console.log(
  JSON.stringify({
    content,
    code,
    kilos: cells[0].number_value,
    picture: Object.keys(picture),
    engine: Object.keys(engine).toSorted(),
  }),
);
