import { mediaNumber } from '@sheaf/client/media-types';
import { queryClient, SheafError, sheaf } from '../../lib/api-client.ts';
import { readJson, writeStorage } from '../../lib/browser-storage.ts';
import type { Language } from '../../i18n/use-translation.ts';
import { Store } from '../../ui/store.ts';
import { sampleContent, type SampleContent } from './sample-content.ts';

/**
 * Ids of the added sample note, knowledge base and spreadsheet, stored in this browser. If adding was interrupted, some
 * ids are missing and `isWhole` is unset.
 */
interface AddedSamples {
  base?: string;
  note?: string;
  sheet?: string;
  isWhole?: boolean;
}

const key = 'sheaf.samples';

/**
 * Progress of adding the sample content, from 0 to 1; undefined when idle. Stored outside the component, because adding
 * continues after the user leaves the page.
 */
export const samplesProgress = new Store<number | undefined>(undefined);

export function readAddedSamples(): AddedSamples | undefined {
  return readJson(key);
}

/**
 * Adds the ids of created samples to the ids stored in the browser. Called after each creation, so that the samples
 * can be removed even if the page is closed before all are created.
 */
function saveAddedSamples(more: AddedSamples): void {
  writeStorage(key, JSON.stringify({ ...readAddedSamples(), ...more }));
}

/** Returns whether a title is the title of a sample in any language. */
export function isSampleTitle(title: string): boolean {
  return Object.values(sampleContent).some((texts) =>
    [texts.noteTitle, texts.baseName, texts.sheetTitle].includes(title),
  );
}

/**
 * Finds samples that were added in another browser. Returns the ids of the user's knowledge bases, notes and
 * spreadsheets whose titles are sample titles. Searches only the first page of each list.
 */
async function findSamplesByName(): Promise<Required<Record<'bases' | 'notes' | 'sheets', string[]>>> {
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

export async function addSamples(language: Language): Promise<void> {
  if (samplesProgress.get() !== undefined) return;
  try {
    samplesProgress.set(0);
    await createSamples(sampleContent[language]);
    saveAddedSamples({ isWhole: true });
  } finally {
    samplesProgress.set(undefined);
    await queryClient.invalidateQueries();
  }
}

const steps = 10;

async function createSamples(texts: SampleContent): Promise<void> {
  let done = 0;
  const step = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const answer = await work;
    samplesProgress.set(++done / steps);
    return answer;
  };
  const { note_id: note } = await step(sheaf.note.import_doc({ content_format: 1, content: texts.note }));
  saveAddedSamples({ note });
  const { knowledge_base_id: base } = await step(
    sheaf.wiki.create_knowledge_base({ name: texts.baseName, description: texts.baseAbout }),
  );
  saveAddedSamples({ base });
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
  saveAddedSamples({ sheet });
  const place = { file_id: sheet, sheet_id: first };
  await step(sheaf.sheet.set_range_value_by_csv({ ...place, start_row: 0, start_col: 0, csv_data: texts.csv }));
  const range = { end_col: 4, ...place };
  for (const styled of [
    { start_row: 0, start_col: 0, end_row: 0, format: { bold: true, bg_color: 'FFE3EFE7' } },
    { start_row: 5, start_col: 0, end_row: 5, format: { bold: true, number_format_pattern: '0.0' } },
    { start_row: 1, start_col: 4, end_row: 5, format: { number_format_pattern: '0.0%' } },
  ])
    await sheaf.sheet.set_cell_style({ ...range, ...styled });
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

/**
 * Deletes the samples. Each deletion runs independently, so that a sample already deleted does not stop the others.
 */
export async function removeSamples(): Promise<void> {
  const { note, base, sheet } = readAddedSamples() ?? {};
  // Search for samples by title only if this browser has no stored ids of samples.
  const named = readAddedSamples() ? { notes: [], bases: [], sheets: [] } : await findSamplesByName();
  const known = (id: string | undefined): string[] => (id === undefined ? [] : [id]);
  const outcomes = await Promise.allSettled([
    ...[...known(note), ...named.notes].map((id) => sheaf.note.delete_note({ note_id: id })),
    ...[...known(base), ...named.bases].map((id) => sheaf.wiki.delete_knowledge_base({ knowledge_base_id: id })),
    ...[...known(sheet), ...named.sheets].map((id) => sheaf.manage.delete_file({ file_id: id })),
  ]);
  // An error from the server means that the sample is already deleted. Any other error, such as a lost connection,
  // means that the sample still exists.
  const failed = outcomes.find((one) => one.status === 'rejected' && !(one.reason instanceof SheafError));
  if (failed?.status === 'rejected') throw failed.reason;
  writeStorage(key, null);
  await queryClient.invalidateQueries();
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
