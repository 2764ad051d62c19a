/**
 * Whatever a caller sends, no turn of the event loop takes the main thread longer than 50 ms of processor time: every operation,
 * over HTTP and MCP, gets the largest body in the shapes that cost most. The built product, as a process of its own.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modules } from '../../src/modules.ts';
import { inputSchema, type JsonSchema } from '../../src/operation/describe.ts';
import { Registry, type Entry } from '../../src/operation/module.ts';
import { examples as account } from '../spec/account/examples.ts';
import { examples as manage } from '../spec/manage/examples.ts';
import { examples as note } from '../spec/note/examples.ts';
import { examples as sheet } from '../spec/sheet/examples.ts';
import { examples as wiki } from '../spec/wiki/examples.ts';
import type { Examples } from '../spec/generated.ts';
import { callable, type Callable } from '../support/calls.ts';
import { ownerKey, startNode, type NodeProcess } from '../support/node-process.ts';
import type { TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temp.ts';

const maxTurnMs = 50;
const bodyBytes = 16 * 2 ** 20;
/** For a field that its schema bounds: what is refused by its length costs what reading it costs. */
const boundedBytes = 2 * 2 ** 20;
const examples: Record<string, Examples> = { account, manage, note, sheet, wiki };
const registry = new Registry(Object.values(modules));
const surfaces = ['http', 'mcp'] as const;

/** A value made of one piece over and over, as long as the body allows. */
interface Shape {
  readonly open: string;
  readonly piece: string;
  readonly close: string;
}

const text = (piece: string): Shape => ({ open: '"', piece, close: '"' });
const list = (piece: string): Shape => ({ open: '[', piece: `${piece},`, close: 'null]' });

const texts: readonly (readonly [string, Shape])[] = [
  ['line breaks', text('\\n')],
  ['escaped characters', text('\\u4e2d')],
  ['letters', text('a')],
  ['surrogate pairs', text('\\ud83d\\ude00')],
  ['characters', text('中')],
  ['quotes', text('\\"')],
  ['spaces and commas', text(' ,')],
  ['digits', text('1')],
];
const others: readonly (readonly [string, Shape])[] = [
  ['a long number', { open: '1', piece: '1', close: '1' }],
  ['many numbers', list('1')],
  ['long numbers', list('123456789.123456789')],
  ['short texts', list('"a"')],
  ['empty objects', list('{}')],
  ['short keys', list('{"a":1}')],
  ['nested lists', list(`${'['.repeat(150)}${']'.repeat(150)}`)],
  ['nested objects', list(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`)],
  ['escapes in many texts', list('"\\n\\u4e2d"')],
  ['texts of 100 kB', list(`"${'\\n'.repeat(50_000)}"`)],
  ['texts of 3 kB', list(`"${'\\n'.repeat(1_500)}"`)],
  ['one name over and over', { open: '{', piece: '"a":"\\n",', close: '"a":1}' }],
];

let node: NodeProcess;
let server: Callable;
let probe: string;
const sent: { name: string; from: number }[] = [];

beforeAll(async () => {
  const folder = await temporaryFolder();
  probe = join(folder, 'turns.txt');
  await writeFile(probe, '');
  const script = fileURLToPath(new URL('../support/loop-probe.mjs', import.meta.url));
  node = await startNode({ folder, env: { LOOP_PROBE: probe, NODE_OPTIONS: `--import ${script}` } });
  server = callable(node.url, await ownerKey(folder));
});
afterAll(() => node.stop());

const fillers = new Map<string, Buffer>();
function filler(piece: string, bytes: number): Buffer {
  const size = Buffer.byteLength(piece);
  let whole = fillers.get(piece);
  if (!whole) fillers.set(piece, (whole = Buffer.alloc(Math.floor(bodyBytes / size) * size, piece)));
  return whole.subarray(0, Math.floor(Math.min(bytes, whole.length) / size) * size);
}

const mark = '<filler>';

/** Sends a body in which the shape stands at the mark. */
async function send(name: string, path: string, body: unknown, shape: Shape, bytes: number): Promise<void> {
  const [before, after] = JSON.stringify(body).split(JSON.stringify(mark)) as [string, string];
  const around = Buffer.byteLength(before + after + shape.open + shape.close);
  sent.push({ name, from: Date.now() });
  await new Promise<void>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'svc-openapi-clientid': server.owner.clientId,
      'svc-openapi-apikey': server.owner.apiKey,
    };
    const request = httpRequest(node.url + path, { method: 'POST', headers }, (response) => {
      response.on('end', resolve).resume();
    });
    request.on('error', reject);
    request.write(before + shape.open);
    request.write(filler(shape.piece, bytes - around));
    request.end(shape.close + after);
  });
}

function sendTo(
  surface: (typeof surfaces)[number],
  entry: Entry,
  input: unknown,
  [what, shape]: readonly [string, Shape],
  bytes = bodyBytes,
): Promise<void> {
  const name = `${entry.name} over ${surface}: ${what}`;
  const { module, operation } = entry;
  if (surface === 'http') return send(name, `/openapi/${module.name}/v1/${operation.name}`, input, shape, bytes);
  const params = { name: `${module.name}_${operation.name}`, arguments: input };
  return send(name, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, shape, bytes);
}

/** Turns of the event loop that took too long, with what was being sent. */
async function longTurns(): Promise<string[]> {
  const lines = (await readFile(probe, 'utf8')).trim().split('\n').filter(Boolean);
  await writeFile(probe, '');
  return lines
    .map((line) => line.split(' ').map(Number) as [number, number])
    .filter(([at, ms]) => ms > maxTurnMs && at >= sent[0]!.from)
    .map(([at, ms]) => `${ms} ms: ${sent.findLast(({ from }) => from <= at)!.name}`);
}

async function exampleOf({ module, operation }: Entry): Promise<Record<string, unknown>> {
  try {
    return await examples[module.name]![operation.name]!(server as TestServer);
  } catch (error) {
    // Some need the insides of a server in this process: their fields are tried without what they name.
    if (!(error instanceof TypeError)) throw error;
    return {};
  }
}

interface Place {
  readonly input: unknown;
  readonly shape: readonly [string, Shape];
  readonly bytes: number;
}

/**
 * Where the largest values can stand: texts and lists that the schema does not bound, and one of the fields that it does, for what
 * is refused by its length costs what reading it costs.
 */
function placesOf(schema: JsonSchema, input: Record<string, unknown>, turn: number): Place[] {
  const found: Place[] = [];
  const bounded: Place[] = [];
  for (const [index, [field, inner]] of Object.entries(schema.properties ?? {}).entries()) {
    const [what, shape] = texts[(turn + index) % texts.length]!;
    const at = (value: unknown, as: string, made: Shape): Place => ({
      input: { ...input, [field]: value },
      shape: [`${field}: ${as}`, made],
      bytes: bodyBytes,
    });
    const type = inner['type'];
    if (type === 'string' && inner['maxLength'] === undefined && inner['enum'] === undefined)
      found.push(at(mark, what, shape));
    else if (type === 'string') bounded.push({ ...at(mark, what, shape), bytes: boundedBytes });
    else if (type === 'integer' || type === 'number')
      bounded.push({ ...at(mark, 'digits', text('1')), bytes: boundedBytes });
    else if (type === 'array') {
      const one = Array.isArray(input[field]) ? (input[field] as unknown[])[0] : 1;
      found.push(at(mark, 'many entries', list(JSON.stringify(one))));
    }
  }
  return [...found, ...(bounded.length === 0 ? [] : [bounded[turn % bounded.length]!])];
}

describe('[finding R16] no body holds the main thread', () => {
  for (const name of ['account.get_me', 'sheet.set_range_value']) {
    test(`${name}: every shape of JSON, over HTTP and MCP`, { timeout: 240_000 }, async () => {
      const entry = registry.find(name)!;
      const input = await exampleOf(entry);
      for (const surface of surfaces)
        for (const shape of [...texts, ...others]) await sendTo(surface, entry, { ...input, x: mark }, shape);
      expect(await longTurns()).toEqual([]);
    });
  }

  for (const module of Object.values(modules)) {
    test(`every field of every operation of ${module.name}`, { timeout: 600_000 }, async () => {
      let count = 0;
      for (const operation of Object.values(module.operations)) {
        const entry = registry.get(module.name, operation.name)!;
        const input = await exampleOf(entry);
        // One place of each over one of the two surfaces, another over the other.
        const places = placesOf(inputSchema(operation), input, count);
        for (const surface of surfaces) {
          const place = places[count++ % Math.max(1, places.length)];
          if (place) await sendTo(surface, entry, place.input, place.shape, place.bytes);
          else await sendTo(surface, entry, { ...input, unknown_field: mark }, texts[1]!, boundedBytes);
        }
      }
      expect(await longTurns()).toEqual([]);
    });
  }
});
