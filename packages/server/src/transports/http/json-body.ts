import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { randomText } from '../../lib/ids.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { Failure, fail } from '../../kernel/errors.ts';
import { refuseNul, refuseNulYielding } from '../nul-check.ts';
import { maxDepth, JsonCostScanner, type SplitPoints, type LongString } from './json-cost-scanner.ts';

/** Size in bytes up to which a JSON body is parsed in one step. Whatever its content, such a body parses fast. */
const shortBody = 64 * 1024;
const scannedAtOnce = 256 * 1024;

const byteOrderMark = 0xfeff;
const replacementCharacter = '\ufffd';
const nul = '\\u0000';

export interface JsonOptions {
  /** Whether strings may contain NUL. The caller then checks the strings itself. */
  nulAllowed?: boolean;
  /**
   * Object in which the parser of long bodies sets `mayHoldNul`: whether a string of the body may contain NUL. For a
   * short body, the parser leaves the object unchanged.
   */
  found?: { mayHoldNul: boolean };
  /** Maximum number of JSON values in a long body. Unset: the default of JsonCostScanner. */
  maxValues?: number;
}

let lastLong: Promise<void> = Promise.resolve();

/**
 * Returns whether a short body may contain NUL, which JSON can write only as an escape. Returns true for every long
 * body without searching it, because the parser of long bodies finds out itself.
 */
export function mayHoldNul(bytes: Uint8Array): boolean {
  return bytes.length > shortBody || bufferOf(bytes).includes(nul);
}

/** Parses JSON. Parses a short body synchronously, and a long one in slices, yielding to the event loop in between. */
export function parseJsonBody(bytes: Uint8Array, options: JsonOptions = {}): unknown {
  if (bytes.length <= shortBody) return parseShortJsonBody(bytes, options.nulAllowed);
  // Parse long bodies one at a time to limit memory use, because the parsed values take several times the size of the
  // body.
  const read = lastLong.then(() => readLongJson(bufferOf(bytes), options));
  lastLong = read.then(
    () => undefined,
    () => undefined,
  );
  return read;
}

/**
 * Parses a short JSON body in one step; an empty body counts as `{}`. Refuses invalid UTF-8, and nesting so deep that
 * it could overflow the stack. Unless `nulAllowed` is true, also refuses strings that contain NUL.
 */
export function parseShortJsonBody(bytes: Uint8Array, nulAllowed = false): unknown {
  if (bytes.length === 0) return {};
  let text = bufferOf(bytes).toString('utf8');
  // Check the bytes only if the text contains U+FFFD. Invalid UTF-8 decodes to that character, but a valid text may
  // contain it too.
  if (text.includes(replacementCharacter) && !isUtf8(bytes)) throw notUtf8();
  if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
  if (text.length > 2 * maxDepth && !isShallow(text)) new JsonCostScanner().add(bufferOf(bytes));
  const parsed = parse(text);
  if (!nulAllowed && text.includes(nul)) refuseNul(parsed);
  return parsed;
}

/**
 * Returns whether the text is certainly not nested deeply: it has few arrays, and no objects except the outermost one
 * and entries of arrays. Most bodies pass this cheap test and skip the full check.
 */
function isShallow(text: string): boolean {
  let arrays = 0;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) if (2 * ++arrays >= maxDepth) return false;
  return !/[:\s]\{/.test(text);
}

async function readLongJson(bytes: Buffer, { nulAllowed = false, maxValues, found }: JsonOptions): Promise<unknown> {
  if (!isUtf8(bytes)) throw notUtf8();
  const meter = new JsonCostScanner(maxValues);
  for (let at = 0, end: number; at < bytes.length; at = end) {
    end = characterBoundary(bytes, at + scannedAtOnce);
    meter.add(bytes.subarray(at, end));
    await yieldToEventLoop();
  }
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const parsed = await parseListsInSlices(bytes, start, meter);
  if (found) found.mayHoldNul = meter.mayHoldNul;
  if (!nulAllowed && meter.mayHoldNul) await refuseNulYielding(parsed);
  return parsed;
}

function characterBoundary(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at++;
  return Math.min(at, bytes.length);
}

interface Slice {
  /** Random string that stands in the parsed list in place of the entries that are parsed separately, in slices. */
  mark: string;
  pieces: { from: number; to: number }[];
}

/**
 * Parses a long body in steps. First parses it with a placeholder in place of the middle of each long list. Then parses
 * these middle parts in slices, each as a separate array, and inserts their entries into the lists.
 */
async function parseListsInSlices(
  bytes: Buffer,
  start: number,
  { listSplits, longStrings }: JsonCostScanner,
): Promise<unknown> {
  const source = new MarkedSource(bytes, longStrings);
  const slices: Slice[] = [];
  let rest = '';
  let at = start;
  for (const cuts of listSplits) {
    const mark = randomText(32);
    slices.push({ mark, pieces: piecesOf(cuts) });
    rest += `${source.withMarks(at, cuts[0]!)},"${mark}"`;
    at = cuts.at(-1)!;
  }
  const parsed = await source.parse(rest + source.withMarks(at, bytes.length));
  for (const { mark, pieces } of slices) {
    const list = findList(parsed, mark);
    if (!list) throw fail('invalid_parameter', 'the request body is not JSON: a list is malformed');
    const tail = list.splice(list.indexOf(mark));
    for (const { from, to } of pieces) {
      await yieldToEventLoop();
      const entries = (await source.parse(`[${source.withMarks(from, to)}]`)) as unknown[];
      if (entries.length === 0)
        throw fail('invalid_parameter', 'the request body is not JSON: two commas without a value between them');
      for (const entry of entries) list.push(entry);
    }
    for (const entry of tail.slice(1)) list.push(entry);
  }
  return parsed;
}

function piecesOf(cuts: SplitPoints): { from: number; to: number }[] {
  return cuts.slice(1).map((to, index) => ({ from: cuts[index]! + 1, to }));
}

/**
 * Replaces the long strings of a body by placeholders and decodes the strings separately, in slices that yield to the
 * event loop.
 */
class MarkedSource {
  readonly #bytes: Buffer;
  readonly #texts: readonly LongString[];
  readonly #mark = randomText(32);
  #next = 0;
  /**
   * Long strings that `withMarks` replaced by placeholders. `parse` puts them back into the parsed value and clears
   * this list.
   */
  #marked: LongString[] = [];

  constructor(bytes: Buffer, texts: readonly LongString[]) {
    this.#bytes = bytes;
    this.#texts = texts;
  }

  withMarks(from: number, to: number): string {
    let text = '';
    let at = from;
    // The slices of a list are parsed after the text around the list, so `from` may be lower than in the previous call.
    // Search for the first long string at or after `from`.
    this.#next = firstFrom(this.#texts, from);
    for (; this.#texts[this.#next] !== undefined && this.#texts[this.#next]!.to <= to; this.#next++) {
      const long = this.#texts[this.#next]!;
      text += this.#bytes.toString('utf8', at, long.from) + this.#mark + this.#marked.length;
      this.#marked.push(long);
      at = long.to;
    }
    return text + this.#bytes.toString('utf8', at, to);
  }

  /** Parses a text that `withMarks` returned, and puts the long strings back in place of their placeholders. */
  async parse(text: string): Promise<unknown> {
    const marked = this.#marked;
    this.#marked = [];
    const parsed = parse(text);
    if (marked.length === 0) return parsed;
    const decoded: string[] = [];
    for (const long of marked) decoded.push(await this.#decode(long));
    const whole = { it: parsed };
    if (restoreStrings(whole, this.#mark, decoded) < decoded.length)
      throw fail('invalid_parameter', 'the request body has a field name that is too long, or the same one twice');
    return whole.it;
  }

  async #decode({ from, to, splitPoints }: LongString): Promise<string> {
    let text = '';
    let at = from;
    for (const end of [...splitPoints, to]) {
      if (end - at > longPiece) await yieldToEventLoop();
      text += parse(`"${this.#bytes.toString('utf8', at, end)}"`) as string;
      at = end;
    }
    return text;
  }
}

const longPiece = 32 * 1024;

function firstFrom(texts: readonly LongString[], from: number): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (texts[middle]!.from < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Replaces placeholders by their strings at any depth. Returns the number of replaced placeholders. */
function restoreStrings(value: object, mark: string, texts: readonly string[]): number {
  let count = 0;
  const inside = value as Record<string, unknown>;
  for (const key of Object.keys(value)) {
    const one = inside[key];
    if (typeof one === 'string' && one.startsWith(mark)) {
      inside[key] = texts[Number(one.slice(mark.length))];
      count++;
    } else if (typeof one === 'object' && one !== null) count += restoreStrings(one, mark, texts);
  }
  return count;
}

/** Finds the list that contains the placeholder, at any depth. Returns undefined if there is none. */
function findList(value: unknown, mark: string): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.includes(mark)) return value;
  for (const inner of Object.values(value)) {
    const found = findList(inner, mark);
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

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function isJson(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' ||
    (contentType !== undefined && /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType.trim()))
  );
}

export function notJsonMessage({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  return `the request body must be JSON: send content-type application/json (got ${headers['content-type'] ?? 'none'})`;
}
