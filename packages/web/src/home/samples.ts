import { mediaNumber } from '@sheaf/client/media-number';
import { queries, sheaf } from '../lib/client.ts';
import { read, write } from '../lib/settings.ts';
import type { Language } from '../text/use-text.ts';
import { Store } from '../ui/store.ts';
import { sampleTexts, type SampleTexts } from './sample-texts.ts';

/** What was added, to be removed as one; parts are missing where adding was broken off. */
interface Samples {
  base?: string;
  note?: string;
  sheet?: string;
  isWhole?: boolean;
}

const key = 'sheaf.samples';

/** How much of the samples is made; undefined while nobody makes any. Kept here, not in the page: one may leave it meanwhile. */
export const samplesProgress = new Store<number | undefined>(undefined);

export function samplesHere(): Samples | undefined {
  const stored = read(key);
  return stored === null ? undefined : (JSON.parse(stored) as Samples);
}

/** At once, not at the end: whoever leaves the page in between can still remove what was made. */
function remember(more: Samples): void {
  write(key, JSON.stringify({ ...samplesHere(), ...more }));
}

/** Whether something is called as a sample is, in any language. */
export function isSampleTitle(title: string): boolean {
  return Object.values(sampleTexts).some((texts) =>
    [texts.noteTitle, texts.baseName, texts.sheetTitle].includes(title),
  );
}

/** Those that another browser added, by their names: all of the person's own that are called so. */
async function samplesByName(): Promise<Required<Record<'bases' | 'notes' | 'sheets', string[]>>> {
  const [bases, notes, sheets] = await Promise.all([
    sheaf.wiki.search_knowledge_base({ query: '', cursor: '', limit: 20 }),
    sheaf.note.list_note({ cursor: '', limit: 20 }),
    sheaf.manage.list_files({ cursor: '', limit: 50 }),
  ]);
  return {
    bases: bases.info_list.filter((one) => one.role_type === 'owner' && isSampleTitle(one.name)).map((one) => one.id),
    notes: notes.note_book_list.filter((one) => isSampleTitle(one.title)).map((one) => one.note_id),
    sheets: sheets.files.filter((one) => one.role === 'owner' && isSampleTitle(one.title)).map((one) => one.file_id),
  };
}

/** A base, a note and a spreadsheet that teach by example, made with the operations anybody has. */
export async function addSamples(language: Language): Promise<void> {
  if (samplesProgress.get() !== undefined) return;
  try {
    samplesProgress.set(0);
    await make(sampleTexts[language]);
    remember({ isWhole: true });
  } finally {
    samplesProgress.set(undefined);
    await queries.invalidateQueries();
  }
}

const steps = 10;

async function make(texts: SampleTexts): Promise<void> {
  let done = 0;
  const step = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const answer = await work;
    samplesProgress.set(++done / steps);
    return answer;
  };
  const { note_id: note } = await step(sheaf.note.import_doc({ content_format: 1, content: texts.note }));
  remember({ note });
  const { knowledge_base_id: base } = await step(
    sheaf.wiki.create_knowledge_base({ name: texts.baseName, description: texts.baseAbout }),
  );
  remember({ base });
  const { folder_id: folder } = await step(sheaf.wiki.create_folder({ knowledge_base_id: base, name: texts.folder }));
  for (const file of texts.files)
    await step(
      sheaf.wiki.upload_knowledge({
        knowledge_base_id: base,
        folder_id: file.inFolder ? folder : base,
        file_name: file.name,
        content: base64(file.text),
      }),
    );
  await step(
    sheaf.wiki.add_knowledge({
      media_type: mediaNumber.note,
      title: texts.noteTitle,
      knowledge_base_id: base,
      note_info: { content_id: note },
    }),
  );
  const { file_id: sheet, sheet_id: first } = await step(sheaf.manage.create_file({ title: texts.sheetTitle }));
  remember({ sheet });
  const place = { file_id: sheet, sheet_id: first };
  await step(sheaf.sheet.set_range_value_by_csv({ ...place, start_row: 0, start_col: 0, csv_data: texts.csv }));
  await sheaf.sheet.set_cell_style({
    ...place,
    start_row: 0,
    start_col: 0,
    end_row: 0,
    end_col: 4,
    format: { bold: true, bg_color: 'FFE3EFE7' },
  });
  await sheaf.sheet.set_cell_style({
    ...place,
    start_row: 5,
    start_col: 0,
    end_row: 5,
    end_col: 4,
    format: { bold: true, number_format_pattern: '0.0' },
  });
  await sheaf.sheet.set_cell_style({
    ...place,
    start_row: 1,
    start_col: 4,
    end_row: 5,
    end_col: 4,
    format: { number_format_pattern: '0.0%' },
  });
  await step(sheaf.sheet.set_freeze({ ...place, row_count: 1, col_count: 0 }));
  await sheaf.sheet.add_chart({
    ...place,
    chart_type: 'CHART_LINE',
    data_range: { start_row: 0, start_col: 0, end_row: 4, end_col: 2 },
    first_row_as_header: true,
    first_column_as_category: true,
    use_column_as_series: true,
    location: { row_index: 1, col_index: 5, horizontal_offset: 40, vertical_offset: 10, width: 520, height: 300 },
    drawing_id: 'sample-chart',
    title: texts.chart,
  });
  samplesProgress.set(1);
}

/** Each on its own: what somebody removed already does not keep the rest. */
export async function removeSamples(): Promise<void> {
  const { note, base, sheet } = samplesHere() ?? {};
  // Named ones only where nothing is remembered here: another browser made them.
  const named = samplesHere() ? { notes: [], bases: [], sheets: [] } : await samplesByName();
  const known = (id: string | undefined): string[] => (id === undefined ? [] : [id]);
  await Promise.allSettled([
    ...[...known(note), ...named.notes].map((id) => sheaf.note.delete_note({ note_id: id })),
    ...[...known(base), ...named.bases].map((id) => sheaf.wiki.delete_knowledge_base({ knowledge_base_id: id })),
    ...[...known(sheet), ...named.sheets].map((id) => sheaf.manage.delete_file({ file_id: id })),
  ]);
  write(key, null);
  await queries.invalidateQueries();
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
