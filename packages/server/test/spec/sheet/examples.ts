import { newId } from '../../../src/lib/ids.ts';
import type { Callable } from '@sheaf/tools/testing/call-client.ts';
import type { Examples } from '../generated.ts';

/** A document with a small table in A1:C4 of its first sub-sheet. */
export async function newDocument(server: Callable): Promise<{ file_id: string; sheet_id: string }> {
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Example' });
  const file = { file_id: data.file_id as string, sheet_id: data.sheet_id as string };
  await server.call('http', 'sheet', 'set_range_value_by_csv', {
    ...file,
    csv_data: 'name,kind,price\npear,fruit,3\nleek,herb,2\nplum,fruit,1\n',
  });
  return file;
}

const r4 = { start_row: 0, start_col: 0, end_row: 3, end_col: 2 };
const range = { start_row: 0, start_col: 0, end_row: 2, end_col: 2 };
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const on = (extra: Record<string, unknown>) => async (server: Callable) => ({
  ...(await newDocument(server)),
  ...extra,
});
const inFile = (extra: Record<string, unknown>) => async (server: Callable) => ({
  file_id: (await newDocument(server)).file_id,
  ...extra,
});

async function withPivot(server: Callable): Promise<{ file_id: string; sheet_id: string; pivot_table_id: string }> {
  const { file_id, sheet_id } = await newDocument(server);
  const pivot_table_id = newId('p');
  await server.call('http', 'sheet', 'add_pivot_table', {
    file_id,
    pivot_table_id,
    source_sheet_id: sheet_id,
    source_range: r4,
    anchor_sheet_id: sheet_id,
    anchor_col: 5,
  });
  return { file_id, sheet_id, pivot_table_id };
}

async function withChart(server: Callable): Promise<{ file_id: string; sheet_id: string; drawing_id: string }> {
  const file = await newDocument(server);
  const drawing_id = newId('c');
  await server.call('http', 'sheet', 'add_chart', { ...file, chart_type: 'CHART_LINE', data_range: r4, drawing_id });
  return { ...file, drawing_id };
}

async function withProtection(
  server: Callable,
): Promise<{ file_id: string; sheet_id: string; protect_range_id: string }> {
  const file = await newDocument(server);
  const { data } = await server.call('http', 'sheet', 'add_protect_range', { ...file, range });
  return { ...file, protect_range_id: data.protect_range_id as string };
}

async function withImage(server: Callable): Promise<{ file_id: string; sheet_id: string; object_id: string }> {
  const file = await newDocument(server);
  await server.call('http', 'sheet', 'insert_image', { ...file, row_index: 0, col_index: 0, content: png });
  const { data } = await server.call('http', 'sheet', 'get_images', file);
  return { ...file, object_id: (data.images as { object_id: string }[])[0]!.object_id };
}

export const examples: Examples = {
  read: inFile({ range: 'A1:C4', show: ['formulas'] }),
  write: inFile({ range: 'A6', rows: [['fig', 'fruit', '4.50']] }),
  check: inFile({ assertions: ['SUM(C2:C4) = 6', 'unique A2:A4'] }),
  query: inFile({ query: 'select kind, sum(price) as total from A1:C4 group by kind' }),
  inspect: inFile({}),
  trace: inFile({ range: 'C2' }),
  edit_rows: inFile({ where: 'kind = "fruit"', action: 'mark', set: { kind: 'tree' } }),
  set_cell_value: on({ cell: { row: 0, col: 0, value_type: 'STRING', string_value: 'x' } }),
  set_range_value: on({ values: [{ row: 0, col: 0, value_type: 'NUMBER', number_value: 1 }] }),
  set_range_value_by_csv: on({ start_row: 0, start_col: 0, csv_data: 'a,1' }),
  get_cell_data: on({ ...r4, return_csv: false }),
  clear_range_cells: on(r4),
  clear_range_style: on(r4),
  clear_range_all: on(r4),
  set_cell_style: on({
    ...r4,
    is_clear: false,
    format: {
      bold: true,
      font_size: 12,
      font_family: 'Arial',
      horizontal_align: 'left',
      vertical_align: 'top',
      underline: 'single',
      number_format_pattern: '0.00',
    },
  }),
  get_cell_style: on(r4),
  set_border: on({ ...r4, border_positions: [0, 1], border_style: 1, border_color: '000000' }),
  clear_border: on({ ...r4, border_positions: [0] }),
  merge_cell: on({ start_row: 10, start_col: 0, end_row: 11, end_col: 1, merge_type: 'all' }),
  unmerge_cell: on(r4),
  get_merged_cells: on(r4),
  insert_dimension: on({ dimension_type: 'row', index: 1, count: 1, direction: 'before' }),
  delete_dimension: on({ dimension_type: 'row', index: 1, count: 1 }),
  move_dimension: on({ dimension_type: 'row', index: 1, count: 1, to: 3 }),
  set_dimension_size: on({ dimensions: [{ dimension_type: 'row', index: 1, size: 30 }] }),
  insert_range: on({ ...r4, dimension_type: 'row' }),
  delete_range: on({ ...r4, dimension_type: 'row' }),
  set_freeze: on({ row_count: 1, col_count: 1 }),
  unset_freeze: on({}),
  set_filter: on({ ...r4, filter_id: 'f1' }),
  remove_filter: on({}),
  update_filter: async (server) => {
    const file = await newDocument(server);
    await server.call('http', 'sheet', 'set_filter', { ...file, ...r4, filter_id: 'f1' });
    return { ...file, filter_id: 'f1', columns: [{ col: 1, visible_values: ['fruit'] }] };
  },
  sort_range: on({ ...r4, has_header: true, columns: [{ col: 2, order: 1 }] }),
  set_link: on({ row: 0, col: 0, url: 'https://example.com/', display_text: 'go' }),
  clear_link: on({ row: 0, col: 0 }),
  insert_image: on({ row_index: 0, col_index: 0, content: png }),
  find: inFile({
    search_term: 'pear',
    sheet_name: 'Sheet1',
    start_row: 0,
    start_col: 0,
    end_row: 10,
    end_col: 10,
    offset: 0,
    match_case: false,
    match_entire_cell: false,
    use_regex: false,
    match_formulas: false,
    max_results: 5,
  }),
  get_sheet_info: inFile({}),
  add_sheet: async (server) => ({
    file_id: (await newDocument(server)).file_id,
    name: 'New',
    index: 0,
    append_index: false,
  }),
  delete_sheet: async (server) => {
    const file = await newDocument(server);
    await server.call('http', 'sheet', 'add_sheet', { file_id: file.file_id });
    return file;
  },
  rename_sheet: on({ name: 'Other' }),
  move_sheet: inFile({ src_index: 0, dest_index: 0 }),
  get_sheet_object_list: on({ object_types: ['chart'], filter_by_range: true, ...r4, name_pattern: 'x' }),
  validate_file_data: inFile({ version: 1, is_latest: true }),
  add_chart: on({
    chart_type: 'CHART_LINE',
    data_range: r4,
    drawing_id: 'c1',
    location: { row_index: 0, col_index: 5, width: 300, height: 200 },
    use_column_as_series: true,
    title: 'T',
  }),
  delete_chart: withChart,
  get_charts: on({}),
  update_chart: async (server) => ({
    ...(await withChart(server)),
    chart_type: 'CHART_PIE',
    title: 'T',
    bool_options: { first_row_as_header: { value: true } },
  }),
  add_pivot_table: async (server) => {
    const { file_id, sheet_id } = await newDocument(server);
    return {
      file_id,
      pivot_table_id: 'p1',
      name: 'P',
      source_sheet_id: sheet_id,
      source_range: r4,
      anchor_sheet_id: sheet_id,
      anchor_row: 0,
      anchor_col: 6,
    };
  },
  remove_pivot_table: withPivot,
  get_pivot_table_detail: async (server) => {
    const { file_id, pivot_table_id } = await withPivot(server);
    return { file_id, pivot_table_id };
  },
  update_pivot_table: async (server) => ({
    ...(await withPivot(server)),
    row_groups: [{ source_data_column: 1 }],
    column_groups: [],
    pivot_values: [{ source_data_column: 2, summarize_function: 'SUM' }],
    filters: [{ source_data_column: 0, visible_values: ['pear'] }],
    calculated_values: [{ name: 'double', formula: '=price*2' }],
  }),
  add_protect_range: on({ range, whole_sheet: false }),
  update_protect_range: async (server) => ({ ...(await withProtection(server)), range }),
  delete_protect_range: withProtection,
  get_protect_ranges: on({}),
  batch: async (server) => {
    const { file_id, sheet_id } = await newDocument(server);
    return { file_id, calls: [{ tool: 'set_freeze', arguments: { sheet_id, row_count: 1, col_count: 0 } }] };
  },
  get_used_range: on({}),
  append_rows: on({ rows: [['fig', 'fruit', 4]], start_col: 0, end_col: 2 }),
  replace: inFile({
    search_term: 'pear',
    replacement: 'fig',
    sheet_name: 'Sheet1',
    start_row: 0,
    start_col: 0,
    end_row: 10,
    end_col: 10,
    match_case: false,
    match_entire_cell: false,
    use_regex: false,
    match_formulas: false,
  }),
  get_view: on({ ...r4, layout: true }),
  enter_cells: on({ start_row: 0, start_col: 0, rows: [['2026-05-01', null]] }),
  copy_range: on({
    source: range,
    target: { ...range, start_row: 10, end_row: 12 },
    what: 'all',
    series: false,
    move: false,
  }),
  summarize_range: on(r4),
  find_edge: on({ row: 0, col: 0, direction: 'down' }),
  list_functions: async () => ({ search: 'SUM' }),
  copy_sheet: on({ name: 'Copy', index: 0 }),
  set_dimension_visible: on({ dimension_type: 'row', index: 1, count: 1, visible: false }),
  render_range: async (server) => ({ ...(await newDocument(server)), range: 'A1:B2', format: 'svg' }),
  render_chart: async (server) => ({ ...(await withChart(server)), format: 'svg', width: 300, height: 200 }),
  get_filters: async (server) => {
    const file = await newDocument(server);
    await server.call('http', 'sheet', 'set_filter', { ...file, ...r4, filter_id: 'f1' });
    return { ...file, filter_id: 'f1', col: 1 };
  },
  get_images: on({}),
  get_kept_objects: on({}),
  update_image: async (server) => ({
    ...(await withImage(server)),
    location: { row_index: 1, col_index: 1, width: 20 },
  }),
  delete_image: withImage,
  get_history: inFile({ cursor: '', limit: 5 }),
  revert: inFile({ version: 1 }),
  undo_revision: inFile({ version: 2 }),
  describe_sheet: on({ max_tokens: 1000 }),
  set_name: on({ name: 'prices', refers_to: '=Sheet1!$C$2:$C$4' }),
  set_conditional_format: on({
    ranges: ['C2:C4'],
    kind: 'cell',
    test: 'greater',
    values: ['2'],
    style: { bold: true, bg_color: 'FFC7CE' },
    stop_if_true: false,
    position: 0,
  }),
  set_validation: on({
    ranges: ['B2:B4'],
    kind: 'list',
    values: ['fruit', 'root'],
    required: false,
    error: 'Choose one.',
    error_style: 'warning',
  }),
  set_table: on({
    range: 'A1:C4',
    name: 'Stock',
    has_headings: true,
    totals: { price: 'sum' },
    style: 'TableStyleLight1',
    style_parts: ['row_stripes', 'first_column'],
  }),
  set_comment: on({ row: 0, col: 0, text: 'Why?', resolved: false }),
  set_sheet_properties: on({ tab_color: 'FF0000', zoom: 120, gridlines: false, default_col_width: 80 }),
  set_page_setup: on({
    orientation: 'landscape',
    paper: 9,
    fit: '1x0',
    margins: { left: 0.5, top: 1 },
    header: '&C&A',
    footer: '&P/&N',
    options: ['gridlines', 'center_across'],
    print_area: 'A1:C4',
    titles: 'A:A,1:1',
  }),
  delete_object: async (server) => {
    const file = await newDocument(server);
    await server.call('http', 'sheet', 'set_name', { ...file, name: 'prices', refers_to: '=Sheet1!$C$2' });
    return { ...file, object_type: 'name', object_id: 'prices' };
  },
  list_objects: on({ object_types: ['name', 'comment'] }),
  get_computed_formats: on(r4),
};
