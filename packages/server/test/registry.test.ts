import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { inputSchema, mcpTool, outputSchema, commandUsage, type JsonSchema } from '../src/kernel/describe-operation.ts';
import { renderModuleMarkdown } from '../src/kernel/markdown-docs.ts';
import { buildOpenApi } from '../src/kernel/openapi.ts';
import { Registry } from '../src/kernel/module.ts';
import { modules } from '../src/modules.ts';
import { version } from '../src/version.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const registry = new Registry(Object.values(modules));

/** The names of the specifications, written out: a rename in the code must fail here. */
const specified: Record<string, string[]> = {
  wiki: [
    'create_media',
    'add_knowledge',
    'get_knowledge_base',
    'get_knowledge_list',
    'search_knowledge',
    'search_knowledge_base',
    'get_addable_knowledge_base_list',
    'check_repeated_names',
    'import_urls',
    'get_media_info',
  ],
  note: ['search_note', 'list_note', 'get_doc_content', 'import_doc', 'append_doc', 'list_notebook'],
  sheet: [
    'set_cell_value',
    'set_range_value',
    'set_range_value_by_csv',
    'get_cell_data',
    'clear_range_cells',
    'clear_range_style',
    'clear_range_all',
    'set_cell_style',
    'get_cell_style',
    'set_border',
    'clear_border',
    'merge_cell',
    'unmerge_cell',
    'get_merged_cells',
    'insert_dimension',
    'delete_dimension',
    'move_dimension',
    'set_dimension_size',
    'insert_range',
    'delete_range',
    'set_freeze',
    'unset_freeze',
    'set_filter',
    'remove_filter',
    'update_filter',
    'sort_range',
    'set_link',
    'clear_link',
    'insert_image',
    'find',
    'get_sheet_info',
    'add_sheet',
    'delete_sheet',
    'rename_sheet',
    'move_sheet',
    'get_sheet_object_list',
    'validate_file_data',
    'add_chart',
    'delete_chart',
    'get_charts',
    'update_chart',
    'add_pivot_table',
    'remove_pivot_table',
    'get_pivot_table_detail',
    'update_pivot_table',
    'add_protect_range',
    'update_protect_range',
    'delete_protect_range',
    'get_protect_ranges',
  ],
};

function* fields(schema: JsonSchema, path: string): Generator<{ path: string; field: JsonSchema }> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield { path: `${path}.${name}`, field };
    yield* fields(field, `${path}.${name}`);
    const items = field['items'] as JsonSchema | undefined;
    if (items) yield* fields(items, `${path}.${name}[]`);
  }
}

describe('registry', () => {
  test('the specifications name 65 operations', () => {
    expect(Object.values(specified).flat().length).toBe(65);
  });

  for (const [module, names] of Object.entries(specified)) {
    const present = registry.module(module);
    if (!present) continue;
    test(`${module} has every operation of its specification, each in a file of its name`, () => {
      expect(names.filter((name) => !present.operations[name])).toEqual([]);
      expect(
        names.filter(
          (name) => !existsSync(join(root, 'packages', 'server', 'src', 'modules', module, 'operations', `${name}.ts`)),
        ),
      ).toEqual([]);
    });
  }

  test('every operation stands in a file of its name', () => {
    const missing = registry
      .entries()
      .filter(
        ({ module, operation }) =>
          !['operations', 'extensions', 'legacy'].some((folder) =>
            existsSync(join(root, 'packages', 'server', 'src', 'modules', module.name, folder, `${operation.name}.ts`)),
          ),
      );
    expect(missing.map(({ operation }) => operation.name)).toEqual([]);
  });

  test('every operation and every field is described', () => {
    const bare: string[] = [];
    for (const { module, operation } of registry.entries()) {
      if (operation.summary.length < 10) bare.push(`${module.name}.${operation.name}`);
      for (const schema of [inputSchema(operation), outputSchema(operation)]) {
        for (const { path, field } of fields(schema, `${module.name}.${operation.name}`))
          if (!field['description']) bare.push(path);
      }
    }
    expect(bare).toEqual([]);
  });

  test('every surface lists every operation', () => {
    const paths = Object.keys(
      buildOpenApi(registry, { url: 'http://x', version, prefix: 'svc-openapi' })['paths'] as object,
    );
    for (const entry of registry.entries()) {
      const { module, operation } = entry;
      expect(paths).toContain(`/openapi/${module.name}/v1/${operation.name}`);
      expect(mcpTool(entry)['name']).toBe(`${module.name}_${operation.name}`);
      expect(renderModuleMarkdown(module)).toContain(`## ${operation.name}\n`);
      expect(commandUsage(entry)).toContain(`sheaf call ${module.name}.${operation.name}`);
    }
  });

  test('tool names are unique and within what agent hosts accept', () => {
    const names = registry.entries().map((entry) => mcpTool(entry)['name'] as string);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
  });

  test('docs/operations is fresh (npm run docs writes it)', () => {
    for (const module of registry.modules) {
      const path = join(root, 'docs', 'operations', `${module.name}.md`);
      expect(existsSync(path), `${path} is missing`).toBe(true);
      expect(
        readFileSync(path, 'utf8') === renderModuleMarkdown(module),
        `docs/operations/${module.name}.md is stale: npm run docs`,
      ).toBe(true);
    }
  });

  test("the version in the code is the package's", () => {
    expect((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version).toBe(version);
  });
});
