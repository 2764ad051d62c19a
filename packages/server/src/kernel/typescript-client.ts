import { inputSchema, outputSchema, type JsonSchema } from './describe-operation.ts';
import { wrapLines } from './markdown-docs.ts';
import type { Module } from './module.ts';
import type { AnyOperation } from './operation.ts';

/**
 * Generates the TypeScript types of all operations for the typed client that is published as an npm package. Users of
 * the package have neither the server's operation definitions nor its schema library. Inside the repository, the
 * client's types are derived from the definitions, and packages/client/test/types.ts compares these with the generated
 * types.
 */
export function generateClientOperations(modules: readonly Module[]): string {
  const lines = ["import type { CallOptions } from './options.ts';", '', 'export interface Client {'];
  for (const module of modules) {
    lines.push(...comment(`${module.title}. ${module.summary}`, '  '), `  readonly ${module.name}: {`);
    for (const operation of Object.values(module.operations)) lines.push(...methodType(operation, module.name));
    lines.push('  };');
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

/**
 * Context in which a type is generated. `where` names the operation in error messages. If `isInput` is true, optional
 * fields also accept undefined, which JSON omits.
 */
interface TypeContext {
  readonly where: string;
  readonly indent: string;
  readonly isInput: boolean;
}

function methodType(operation: AnyOperation, module: string): string[] {
  const where = `${module}.${operation.name}`;
  const input = typeOf(inputSchema(operation), { where, indent: '    ', isInput: true });
  const output = typeOf(outputSchema(operation), { where, indent: '    ', isInput: false });
  return [
    ...comment(operation.summary, '    '),
    `    readonly ${operation.name}: (input: ${input}, options?: CallOptions) => Promise<${output}>;`,
  ];
}

/**
 * Returns the TypeScript type of a schema. Ignores keywords that only restrict values, such as lengths and patterns.
 * Throws if the schema has no known type, which stops the build.
 */
function typeOf(schema: JsonSchema, place: TypeContext): string {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (schema['enum']) return union((schema['enum'] as unknown[]).map((value) => JSON.stringify(value)));
  const choices = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (choices) return union(choices.map((choice) => typeOf(choice, place)));
  const types = schema['type'];
  if (Array.isArray(types)) return union(types.map((type) => typeOf({ ...schema, type }, place)));
  switch (types) {
    case 'string':
    case 'boolean':
    case 'null':
      return types;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(schema, place);
    case 'object':
      return objectOf(schema, place);
    case undefined:
      if (isAnything(schema)) return 'unknown';
  }
  throw new Error(
    `${place.where}: the schema ${JSON.stringify(schema)} has no type for the client; see packages/server/src/kernel/typescript-client.ts`,
  );
}

function objectOf(schema: JsonSchema, place: TypeContext): string {
  const fields = Object.entries(schema.properties ?? {});
  const others = schema['additionalProperties'] as JsonSchema | boolean | undefined;
  const other = typeof others === 'object' ? typeOf(others, place) : undefined;
  if (fields.length === 0) return `Record<string, ${other ?? 'never'}>`;
  const indent = `${place.indent}  `;
  const lines = fields.flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name);
    const type = typeOf(field, { ...place, indent });
    const value = !isRequired && place.isInput ? `${type} | undefined` : type;
    return [
      ...comment(String(field['description'] ?? ''), indent),
      `${indent}${propertyName(name)}${isRequired ? '' : '?'}: ${value};`,
    ];
  });
  if (other !== undefined) lines.push(`${indent}[name: string]: ${other};`);
  return `{\n${lines.join('\n')}\n${place.indent}}`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function arrayOf(schema: JsonSchema, place: TypeContext): string {
  const places = schema['prefixItems'] as JsonSchema[] | undefined;
  const item = typeOf((schema['items'] || {}) as JsonSchema, place);
  const items = /^[^{]*\|/.test(item) ? `(${item})[]` : `${item}[]`;
  if (!places) return items;
  return `[${[...places.map((one) => typeOf(one, place)), ...(schema['items'] ? [`...${items}`] : [])].join(', ')}]`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

const width = 120;
const annotations = new Set(['description', 'default', 'examples']);

function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => annotations.has(key));
}

function comment(text: string, indent: string): string[] {
  if (text === '') return [];
  const lines = wrapLines(text.replaceAll('*/', '*\\/'), width - indent.length - 3);
  const single = `${indent}/** ${lines[0]!} */`;
  if (lines.length === 1 && single.length <= width) return [single];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}
