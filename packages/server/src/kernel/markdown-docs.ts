import { inputSchema, outputSchema, describeType, type JsonSchema } from './describe-operation.ts';
import { basePath, type Module } from './module.ts';
import type { AnyOperation } from './operation.ts';

const width = 120;

/** Renders a module's documentation page, for docs/operations/<module>.md and GET /docs. */
export function renderModuleMarkdown(module: Module): string {
  const lines = [`# ${module.title}`, '', ...wrapMarkdown(module.summary), ''];
  for (const operation of Object.values(module.operations)) {
    lines.push(`## ${operation.name}`, '', ...wrapMarkdown(operation.summary), '');
    if (operation.deprecated) lines.push(...wrapMarkdown(`Deprecated: ${operation.deprecated}`), '');
    lines.push(
      `\`POST ${basePath(module)}/${operation.name}\` · MCP \`${module.name}_${operation.name}\` · ${describeEffect(operation)}`,
      '',
    );
    lines.push(...fieldList('Request', inputSchema(operation)), ...fieldList('Answer', outputSchema(operation)));
  }
  lines.push('## Errors', '');
  const rows = Object.entries(module.errors).sort(([, a], [, b]) => a.code - b.code);
  for (const [word, error] of rows)
    lines.push(
      ...entry(`${error.code} \`${word}\`: ${error.meaning}${error.never ? ` Never returned: ${error.never}` : ''}`),
    );
  return `${lines.join('\n')}\n`;
}

function describeEffect(operation: AnyOperation): string {
  const words = { read: 'reads', write: 'writes', destroy: 'deletes' }[operation.effect];
  return operation.ownerOnly ? `${words} · owner only` : words;
}

/** Renders fields as a list. A table is not used, because lines in table cells cannot be wrapped. */
function fieldList(heading: string, schema: JsonSchema): string[] {
  const fields = [...fieldEntries(schema, '')];
  return fields.length === 0 ? [`${heading}: empty.`, ''] : [`${heading}:`, '', ...fields, ''];
}

function* fieldEntries(schema: JsonSchema, prefix: string): Generator<string> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const need = schema.required?.includes(name) ? ', required' : '';
    const meaning = String(field['description'] ?? '');
    yield* entry(`\`${prefix}${name}\` (${describeType(field)}${need})${meaning === '' ? '' : `: ${meaning}`}`);
    const items = field['items'] as JsonSchema | undefined;
    if (field.properties) yield* fieldEntries(field, `${prefix}${name}.`);
    else if (items?.properties) yield* fieldEntries(items, `${prefix}${name}[].`);
  }
}

function entry(text: string): string[] {
  return wrapMarkdown(text.replaceAll('\n', ' '), width - 2).map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));
}

/**
 * Matches a word that would start a list, a heading, a quotation or a table in Markdown if it were at the start of a
 * line.
 */
const startsMarkup = /^(?:[-+*]$|[#>|]|\d+[.)]$)/;

/**
 * Wraps text at spaces into lines of at most `most` characters; a longer word gets its own line. A word that matches
 * `mayNotStart` is never moved to a new line, even if its line becomes longer.
 */
export function wrapLines(text: string, most = width, mayNotStart?: RegExp): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      if (current !== '' && current.length + 1 + word.length > most && !mayNotStart?.test(word)) {
        lines.push(current);
        current = word;
      } else current = current === '' ? word : `${current} ${word}`;
    }
    return [...lines, current];
  });
}

function wrapMarkdown(text: string, most = width): string[] {
  return wrapLines(text, most, startsMarkup);
}
