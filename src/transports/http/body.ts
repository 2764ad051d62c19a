import { isUtf8 } from 'node:buffer';
import { randomText } from '../../lib/ids.ts';
import { Failure, fail } from '../../operation/errors.ts';
import { refuseNul } from '../nul.ts';
import { deepest, JsonMeter, type Cuts } from './json-meter.ts';

export const bodyLimit = 16 * 2 ** 20;
/** Up to here nothing can be written that takes long to read. */
const shortBody = 64 * 1024;
const meteredAtOnce = 256 * 1024;

const byteOrderMark = 0xfeff;
const unreadable = '\ufffd';
const nul = '\\u0000';

export interface JsonOptions {
  /** Whether texts may hold NUL; where they may, somebody else looks. */
  nulAllowed?: boolean;
  /** How many values there may be, where that is more than usual. */
  maxValues?: number;
}

let lastLong: Promise<void> = Promise.resolve();

/** Whether a body may hold NUL: in JSON it can only be written this way. */
export function mayHoldNul(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes(nul);
}

/** JSON from bytes: at once where they are few; else in steps, with turns for others between them. */
export function readJson(bytes: Uint8Array, options: JsonOptions = {}): unknown {
  if (bytes.length <= shortBody) return parseJson(bytes, options.nulAllowed);
  // One after the other: what is made of a long body takes several times its length.
  const read = lastLong.then(() => readLongJson(bufferOf(bytes), options));
  lastLong = read.then(
    () => undefined,
    () => undefined,
  );
  return read;
}

/** JSON from a few bytes: valid UTF-8, not deeper than anything real, and never a stack overflow. */
export function parseJson(bytes: Uint8Array, nulAllowed = false): unknown {
  if (bytes.length === 0) return {};
  let text = bufferOf(bytes).toString('utf8');
  // What is no UTF-8 is read as this character, which may be meant as well.
  if (text.includes(unreadable) && !isUtf8(bytes)) throw notUtf8();
  if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
  if (text.length > 2 * deepest && !isShallow(text)) new JsonMeter().add(bufferOf(bytes));
  const parsed = parse(text);
  if (!nulAllowed && text.includes(nul)) refuseNul(parsed);
  return parsed;
}

/** Whether the text cannot be deep: few arrays, and objects only as their entries. Most bodies are, and are not worth more of a look. */
function isShallow(text: string): boolean {
  let arrays = 0;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) if (2 * ++arrays >= deepest) return false;
  return !/[:\s]\{/.test(text);
}

async function readLongJson(bytes: Buffer, { nulAllowed = false, maxValues }: JsonOptions): Promise<unknown> {
  if (!isUtf8(bytes)) throw notUtf8();
  const meter = new JsonMeter(maxValues);
  for (let at = 0; at < bytes.length; at += meteredAtOnce) {
    meter.add(bytes.subarray(at, at + meteredAtOnce));
    await turn();
  }
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const parsed = await parseInSlices(bytes, start, meter.groups);
  if (!nulAllowed && bytes.includes(nul)) refuseNul(parsed);
  return parsed;
}

interface Slice {
  /** Stands in the list where its entries belong. */
  mark: string;
  pieces: { from: number; to: number }[];
}

/** The middle of each long list is parsed in pieces, each an array of its own, and then put in its place. */
async function parseInSlices(bytes: Buffer, start: number, groups: readonly Cuts[]): Promise<unknown> {
  const slices: Slice[] = [];
  let rest = '';
  let at = start;
  for (const cuts of groups) {
    const mark = randomText(32);
    slices.push({ mark, pieces: cuts.slice(1).map((to, index) => ({ from: cuts[index]! + 1, to })) });
    rest += `${bytes.toString('utf8', at, cuts[0])},"${mark}"`;
    at = cuts.at(-1)!;
  }
  const parsed = parse(rest + bytes.toString('utf8', at));
  for (const { mark, pieces } of slices) {
    const list = listWith(parsed, mark);
    if (!list) throw fail('invalid_parameter', 'the request body is not JSON: a list is malformed');
    const tail = list.splice(list.indexOf(mark));
    for (const { from, to } of pieces) {
      await turn();
      const entries = parse(`[${bytes.toString('utf8', from, to)}]`) as unknown[];
      if (entries.length === 0)
        throw fail('invalid_parameter', 'the request body is not JSON: two commas without a value between them');
      for (const entry of entries) list.push(entry);
    }
    for (const entry of tail.slice(1)) list.push(entry);
  }
  return parsed;
}

/** The list that holds the mark, wherever it stands. */
function listWith(value: unknown, mark: string): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.includes(mark)) return value;
  for (const inner of Object.values(value)) {
    const found = listWith(inner, mark);
    if (found) return found;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fail('invalid_parameter', `the request body is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function notUtf8(): Failure {
  return fail('invalid_parameter', 'the request body is not valid UTF-8');
}

/** Others first. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function isJson(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' ||
    (contentType !== undefined && /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType.trim()))
  );
}
