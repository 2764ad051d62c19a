import { call } from '@sheaf/client';
import { modules } from '../../modules.ts';
import { firstLine, inputSchema, commandUsage, type JsonSchema } from '../../kernel/describe-operation.ts';
import { commonFields } from '../../kernel/common-fields.ts';
import { Registry, type OperationEntry } from '../../kernel/module.ts';
import { CommandError } from './command-error.ts';
import { findCredentials } from './find-credentials.ts';
import { formatAnswer } from './format-answer.ts';

export function createRegistry(): Registry {
  return new Registry(Object.values(modules));
}

/** Makes one call to a running server: `sheaf call note.list_note --limit 5`. Returns the exit code. */
export async function callCommand(
  name: string | undefined,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const all = createRegistry();
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(`${listing(all)}\n`);
    return name === undefined ? 2 : 0;
  }
  const entry = all.find(name);
  if (!entry) throw new CommandError(`there is no operation ${name}; "sheaf call --help" lists them`);
  if (args.includes('--help')) {
    process.stdout.write(`${commandUsage(entry)}\n`);
    return 0;
  }
  const { input, asJson } = readFlags(entry, args);
  const options = await findCredentials(env);
  const answer = await call(options, entry.module.name, entry.operation.name, input).catch((error: Error) => {
    throw new CommandError(
      `${options.url} is not responding: ${error.cause instanceof Error ? error.cause.message : error.message}`,
    );
  });
  if (answer.code !== 0) {
    process.stderr.write(`${answer.code}: ${answer.msg}\n`);
    return 1;
  }
  process.stdout.write(`${asJson ? JSON.stringify(answer.data, null, 2) : formatAnswer(answer.data)}\n`);
  return 0;
}

function listing(all: Registry): string {
  const blocks = all.modules.map((module) => {
    const rows = Object.values(module.operations).map(
      (operation) => `  ${`${module.name}.${operation.name}`.padEnd(40)} ${firstLine(operation.summary)}`,
    );
    return `${module.title}\n${rows.join('\n')}`;
  });
  return `sheaf call <operation> [--json '{...}' | --field value ...] [--table | --pretty]\n\n${blocks.join('\n\n')}`;
}

/**
 * Parses the flags of `sheaf call`. `--json` gives several input fields as a JSON object, `--field value` a single
 * field. `asJson` tells whether to print the answer as JSON: `--pretty` sets it to true and `--table` to false. By
 * default it is true if the output is not a terminal.
 */
export function readFlags(
  entry: OperationEntry,
  args: readonly string[],
): { input: Record<string, unknown>; asJson: boolean } {
  const schema = inputSchema(entry.operation);
  let input: Record<string, unknown> = {};
  let asJson = !process.stdout.isTTY;
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    if (!word.startsWith('--')) throw new CommandError(`${word}: pass fields as --name value`);
    const [flag, attached] = split(word.slice(2));
    if (flag === 'table') asJson = false;
    else if (flag === 'pretty') asJson = true;
    else if (flag === 'json') input = { ...input, ...parseObject(attached ?? value(args, ++i, flag)) };
    else {
      const name = flag.replaceAll('-', '_');
      const field = schema.properties?.[name] ?? commonField(entry, name);
      if (!field)
        throw new CommandError(
          `--${flag}: ${entry.operation.name} has no such field; it has ${Object.keys(schema.properties ?? {}).join(', ') || 'none'}`,
        );
      const isFlag =
        field['type'] === 'boolean' &&
        attached === undefined &&
        (args[i + 1] === undefined || args[i + 1]!.startsWith('--'));
      input[name] = isFlag ? true : toField(field, attached ?? value(args, ++i, flag), flag);
    }
  }
  return { input, asJson };
}

function commonField({ operation }: OperationEntry, name: string): JsonSchema | undefined {
  return operation.effect !== 'read' && commonFields.some((one) => one === name) ? { type: 'string' } : undefined;
}

function split(word: string): [string, string | undefined] {
  const equals = word.indexOf('=');
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function value(args: readonly string[], index: number, flag: string): string {
  const found = args[index];
  if (found === undefined) throw new CommandError(`--${flag}: needs a value`);
  return found;
}

function toField(field: JsonSchema, text: string, flag: string): unknown {
  switch (field['type']) {
    case 'integer':
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text.startsWith('[') ? parse(text, flag) : text.split(',');
    case 'object':
      return parse(text, flag);
    default:
      return text;
  }
}

function parse(text: string, flag: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--${flag}: is not JSON (${(error as Error).message})`);
  }
}

function parseObject(text: string): Record<string, unknown> {
  const parsed = parse(text, 'json');
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new CommandError('--json: must be a JSON object');
  return parsed as Record<string, unknown>;
}
