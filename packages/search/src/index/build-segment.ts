import { ByteWriter } from './bytes.ts';
import { PositionsWriter } from './positions.ts';
import { Postings } from './postings.ts';
import {
  BlockWriter,
  packTexts,
  partNumbers,
  writeColumns,
  writeSortColumns,
  type SegmentParts,
} from './segment-format.ts';
import { fieldNumbers, TokenLog } from './token-log.ts';
import { visitPinyin } from '../analysis/pinyin.ts';
import { visitTokens } from '../analysis/tokenizer.ts';

/**
 * A document to be added to a segment of the search index. `owner` is the id of the group of documents that it belongs
 * to, such as a user or a knowledge base; a search selects the groups it covers.
 */
export interface DocumentToIndex {
  id: string;
  owner: string;
  title: string;
  headings: string;
  body: string;
  created: number;
  modified: number;
  size: number;
  titleKey: string;
}

/** Maximum length of a title's sort key; characters after it do not affect the order. */
const maxTitleKeyLength = 400;
const encoder = new TextEncoder();

/** Sorts documents by owner, so that those of each owner are adjacent. Documents of one owner keep their order. */
export function sortByOwner<Text extends { owner: string }>(texts: readonly Text[]): Text[] {
  return texts.toSorted((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0));
}

/** Builds an index segment from documents, which must be sorted by owner. Document numbers start at `first`. */
export function buildSegment(texts: readonly DocumentToIndex[], first: number): SegmentParts {
  const log = new TokenLog();
  const count = texts.length;
  const lengths = new Uint32Array(count);
  const titleEnds = new Uint32Array(count);
  const headingEnds = new Uint32Array(count);
  texts.forEach((text, document) => {
    log.document = document;
    // Leave one position free between fields, so that no phrase matches across fields.
    log.field = fieldNumbers.title;
    const titleEnd = visitTokens(text.title, log, 0) + 1;
    visitPinyin(text.title, log);
    log.field = fieldNumbers.headings;
    const headingsEnd = visitTokens(text.headings, log, titleEnd) + 1;
    log.field = fieldNumbers.body;
    const end = visitTokens(text.body, log, headingsEnd);
    titleEnds[document] = titleEnd;
    headingEnds[document] = headingsEnd;
    lengths[document] = end - 2;
  });
  const parts = new Map<number, Uint8Array>();
  parts.set(
    partNumbers.columns,
    writeColumns({
      owners: ownerEnds(texts.map((text) => text.owner)),
      documents: Float64Array.from(texts, (_, i) => first + i),
      lengths,
      modified: Float64Array.from(texts, (text) => text.modified),
      titleEnds,
      headingEnds,
      ids: packTexts(texts.map((text) => encoder.encode(text.id))),
    }),
  );
  writeSortColumns(
    parts,
    Float64Array.from(texts, (text) => text.created),
    Float64Array.from(texts, (text) => text.size),
    texts.map((text) => encoder.encode(text.titleKey.slice(0, maxTitleKeyLength))),
  );
  writePostings(log, parts);
  return { documents: count, first, last: first + count - 1, parts };
}

function writePostings(log: TokenLog, parts: Map<number, Uint8Array>): void {
  const blocks = new BlockWriter(parts);
  const { starts, documentFields, positions: rows } = log.sorted();
  const postings = new Postings();
  const list = new ByteWriter();
  const places = new PositionsWriter();
  const placed = new ByteWriter();
  for (const number of ascending(log.tokens)) {
    const end = starts[number + 1]!;
    postings.clear();
    list.clear();
    places.clear();
    placed.clear();
    for (let at = starts[number]!; at < end;) {
      const document = documentFields[at]! >>> 2;
      const from = at;
      let title = 0;
      let headings = 0;
      let count = 0;
      for (; at < end && documentFields[at]! >>> 2 === document; at++) {
        const field = documentFields[at]! & 3;
        if (field === fieldNumbers.title) title += 1;
        else if (field === fieldNumbers.headings) headings += 1;
        if (rows[at] !== 0) count += 1;
      }
      postings.push(document, title, headings, at - from - title - headings);
      places.begin(count);
      for (let row = from, before = 0; row < at; row++) {
        if (rows[row] === 0) continue;
        places.add(rows[row]! - 1 - before);
        before = rows[row]! - 1;
      }
    }
    postings.write(list);
    places.write(placed);
    blocks.add(log.tokens[number]!, list, placed);
  }
  blocks.finish();
}

/**
 * Size from which a group of tokens with the same first code unit is sorted by comparing strings. In a smaller group, a
 * sort key holds the next two code units (32 bits) and the token's index in the group (20 bits), so it fits into the 53
 * bits of an exact integer.
 */
const maxGroupSize = 2 ** 20;

/**
 * Returns the indexes of the tokens, sorted by code units. The tokens are grouped by their first code unit, then sorted
 * by the next two as one number, which is many times faster than comparing strings.
 */
function ascending(tokens: readonly string[]): number[] {
  const starts = new Uint32Array(2 ** 16 + 1);
  for (const token of tokens) starts[token.charCodeAt(0) + 1]! += 1;
  for (let unit = 0; unit < 2 ** 16; unit++) starts[unit + 1]! += starts[unit]!;
  const grouped = new Uint32Array(tokens.length);
  const next = starts.slice();
  tokens.forEach((token, number) => (grouped[next[token.charCodeAt(0)]!++] = number));
  const sorted: number[] = [];
  for (let unit = 0; unit < 2 ** 16; unit++) {
    const group = grouped.subarray(starts[unit], starts[unit + 1]);
    if (group.length === 0) continue;
    if (group.length >= maxGroupSize) {
      for (const number of [...group].sort((one, other) => compareCodeUnits(tokens[one]!, tokens[other]!)))
        sorted.push(number);
      continue;
    }
    const keys = new Float64Array(group.length);
    for (let at = 0; at < group.length; at++) keys[at] = nextCodeUnits(tokens[group[at]!]!) * maxGroupSize + at;
    keys.sort();
    for (let from = 0; from < keys.length;) {
      const end = (Math.floor(keys[from]! / maxGroupSize) + 1) * maxGroupSize;
      const first = sorted.length;
      for (; from < keys.length && keys[from]! < end; from++) sorted.push(group[keys[from]! % maxGroupSize]!);
      if (sorted.length - first < 2) continue;
      const alike = sorted.splice(first).sort((one, other) => compareCodeUnits(tokens[one]!, tokens[other]!));
      for (const number of alike) sorted.push(number);
    }
  }
  return sorted;
}

function compareCodeUnits(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/**
 * Returns the second and third code unit as one number, for sorting tokens. A missing unit counts as 0, which no token
 * contains, so a shorter token sorts before a longer one.
 */
function nextCodeUnits(token: string): number {
  return codeUnitAt(token, 1) * 2 ** 16 + codeUnitAt(token, 2);
}

function codeUnitAt(token: string, at: number): number {
  return at < token.length ? token.charCodeAt(at) : 0;
}

/**
 * Returns each distinct owner with the end of its documents in a segment. `names` holds the owner's name of each
 * document in ascending order, so that each owner's documents form one range.
 */
export function ownerEnds(names: readonly string[]): { name: string; end: number }[] {
  const owners: { name: string; end: number }[] = [];
  names.forEach((name, i) => {
    const last = owners.at(-1);
    if (last?.name === name) last.end = i + 1;
    else owners.push({ name, end: i + 1 });
  });
  return owners;
}
