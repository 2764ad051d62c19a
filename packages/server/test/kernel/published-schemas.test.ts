import { describe, expect, test } from 'vitest';
import { modules } from '../../src/modules.ts';
import { mcpTool, type JsonSchema } from '../../src/kernel/describe-operation.ts';
import { Registry } from '../../src/kernel/module.ts';
import { buildOpenApi } from '../../src/kernel/openapi.ts';

/** Transcribed from the specifications: what each of the 65 operations requires. */
const r4 = 'start_row start_col end_row end_col';
const required: Record<string, string> = {
  'wiki.create_media': 'file_name file_size content_type knowledge_base_id file_ext',
  'wiki.add_knowledge': 'media_type title knowledge_base_id',
  'wiki.get_knowledge_base': 'ids',
  'wiki.get_knowledge_list': 'cursor limit knowledge_base_id',
  'wiki.search_knowledge': 'query cursor knowledge_base_id',
  'wiki.search_knowledge_base': 'query cursor limit',
  'wiki.get_addable_knowledge_base_list': 'cursor limit',
  'wiki.check_repeated_names': 'params knowledge_base_id',
  'wiki.import_urls': 'knowledge_base_id folder_id urls',
  'wiki.get_media_info': 'media_id',
  'note.search_note': 'start end',
  'note.list_note': 'cursor limit',
  'note.get_doc_content': 'note_id target_content_format',
  'note.import_doc': 'content_format content',
  'note.append_doc': 'note_id content_format content',
  'note.list_notebook': 'cursor limit',
  'sheet.set_cell_value': 'file_id sheet_id cell',
  'sheet.set_range_value': 'file_id sheet_id values',
  'sheet.set_range_value_by_csv': 'file_id sheet_id csv_data',
  'sheet.get_cell_data': `file_id sheet_id ${r4}`,
  'sheet.clear_range_cells': `file_id sheet_id ${r4}`,
  'sheet.clear_range_style': `file_id sheet_id ${r4}`,
  'sheet.clear_range_all': `file_id sheet_id ${r4}`,
  'sheet.set_cell_style': `file_id sheet_id ${r4}`,
  'sheet.get_cell_style': `file_id sheet_id ${r4}`,
  'sheet.set_border': `file_id sheet_id ${r4} border_positions`,
  'sheet.clear_border': `file_id sheet_id ${r4}`,
  'sheet.merge_cell': `file_id sheet_id ${r4} merge_type`,
  'sheet.unmerge_cell': `file_id sheet_id ${r4}`,
  'sheet.get_merged_cells': `file_id sheet_id ${r4}`,
  'sheet.insert_dimension': 'file_id sheet_id dimension_type index count',
  'sheet.delete_dimension': 'file_id sheet_id dimension_type index count',
  'sheet.move_dimension': 'file_id sheet_id dimension_type index count to',
  'sheet.set_dimension_size': 'file_id sheet_id dimensions',
  'sheet.insert_range': `file_id sheet_id ${r4} dimension_type`,
  'sheet.delete_range': `file_id sheet_id ${r4} dimension_type`,
  'sheet.set_freeze': 'file_id sheet_id row_count col_count',
  'sheet.unset_freeze': 'file_id sheet_id',
  'sheet.set_filter': `file_id sheet_id ${r4}`,
  'sheet.remove_filter': 'file_id sheet_id',
  'sheet.update_filter': 'file_id sheet_id',
  'sheet.sort_range': `file_id sheet_id ${r4} columns`,
  'sheet.set_link': 'file_id sheet_id row col url',
  'sheet.clear_link': 'file_id sheet_id row col',
  'sheet.insert_image': 'file_id sheet_id row_index col_index',
  'sheet.find': 'file_id search_term',
  'sheet.get_sheet_info': 'file_id',
  'sheet.add_sheet': 'file_id',
  'sheet.delete_sheet': 'file_id sheet_id',
  'sheet.rename_sheet': 'file_id sheet_id name',
  'sheet.move_sheet': 'file_id src_index dest_index',
  'sheet.get_sheet_object_list': 'file_id sheet_id',
  'sheet.validate_file_data': 'file_id',
  'sheet.add_chart': 'file_id sheet_id chart_type data_range drawing_id',
  'sheet.delete_chart': 'file_id sheet_id drawing_id',
  'sheet.get_charts': 'file_id sheet_id',
  'sheet.update_chart': 'file_id sheet_id drawing_id',
  'sheet.add_pivot_table': 'file_id pivot_table_id source_sheet_id source_range',
  'sheet.remove_pivot_table': 'file_id sheet_id pivot_table_id',
  'sheet.get_pivot_table_detail': 'file_id',
  'sheet.update_pivot_table': 'file_id sheet_id pivot_table_id',
  'sheet.add_protect_range': 'file_id sheet_id',
  'sheet.update_protect_range': 'file_id protect_range_id range',
  'sheet.delete_protect_range': 'file_id protect_range_id',
  'sheet.get_protect_ranges': 'file_id sheet_id',
};

/** Limits of the specifications, by the path to the field. */
const limits: Record<string, Record<string, number>> = {
  'wiki.create_media file_name': { maxLength: 1024 },
  'wiki.get_knowledge_base ids': { minItems: 1, maxItems: 20 },
  'wiki.get_knowledge_list limit': { minimum: 1, maximum: 50 },
  'wiki.search_knowledge_base limit': { minimum: 1, maximum: 20 },
  'wiki.get_addable_knowledge_base_list limit': { minimum: 1, maximum: 50 },
  'wiki.check_repeated_names params': { minItems: 1, maxItems: 2000 },
  'wiki.import_urls urls': { minItems: 1, maxItems: 10 },
  'wiki.import_urls urls items': { minLength: 1 },
  'wiki.get_media_info media_id': { minLength: 1 },
  'note.list_note limit': { minimum: 1, maximum: 20 },
  'note.list_notebook limit': { minimum: 1, maximum: 20 },
  'note.import_doc content': { minLength: 1 },
  'sheet.set_border border_positions': { minItems: 1 },
  'sheet.sort_range columns': { minItems: 1 },
  'sheet.add_sheet name': { maxLength: 31 },
  'sheet.rename_sheet name': { maxLength: 31 },
};

const registry = new Registry(Object.values(modules));
const paths = buildOpenApi(registry, { url: 'http://localhost', version: '0', prefix: 'svc-openapi' })[
  'paths'
] as Record<string, { post: { requestBody: { content: { 'application/json': { schema: JsonSchema } } } } }>;

const published: Record<string, (name: string) => JsonSchema> = {
  mcp: (name) => mcpTool(registry.find(name)!)['inputSchema'] as JsonSchema,
  openapi: (name) => {
    const [module, operation] = name.split('.');
    return paths[`/openapi/${module}/v1/${operation}`]!.post.requestBody.content['application/json'].schema;
  },
};

describe.each(Object.keys(published))('[finding T19] schemas published over %s', (surface) => {
  const schemaOf = published[surface]!;

  test('require what the specifications require, in all 65 operations', () => {
    expect(Object.keys(required)).toHaveLength(65);
    for (const [name, fields] of Object.entries(required))
      expect([name, [...(schemaOf(name).required ?? [])].sort()]).toEqual([name, fields.split(' ').sort()]);
  });

  test('say the limits of the specifications', () => {
    for (const [path, expected] of Object.entries(limits)) {
      const [name, field, items] = path.split(' ');
      const found = schemaOf(name!).properties![field!]!;
      expect([path, items === undefined ? found : found['items']]).toEqual([path, expect.objectContaining(expected)]);
    }
  });

  test('have file_url where the specification takes either', () => {
    for (const name of ['add', 'update', 'delete'].map((what) => `${what}_protect_range`).concat('get_protect_ranges'))
      expect([name, schemaOf(`sheet.${name}`).properties!['file_url']]).toEqual([
        name,
        expect.objectContaining({ type: 'string' }),
      ]);
  });

  test('have none of our own marks', () => {
    for (const name of Object.keys(required)) expect(JSON.stringify(schemaOf(name))).not.toMatch(/"x-(required|told)"/);
  });
});
