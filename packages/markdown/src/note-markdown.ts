import { getSchema, type Extensions, type JSONContent, type MarkdownToken } from '@tiptap/core';
import type { Node, Schema } from '@tiptap/pm/model';
import { convertInlineImages } from './image-nodes.ts';
import { isLossless } from './lossless.ts';
import { MarkdownEngine } from './markdown-engine.ts';
import { noteExtensions } from './note-extensions.ts';
import { parseBlocks, endOfText, type ParsedBlock } from './parse-blocks.ts';

/**
 * A top-level block serialized as Markdown. `lead` and `gap` are the white space before and after it in its source
 * text. `gap` is undefined if the block was not parsed from a source text.
 */
interface WrittenBlock {
  readonly lead: string;
  readonly text: string;
  readonly gap: string | undefined;
  readonly eol: string | undefined;
  readonly isUnchanged: boolean;
}

/**
 * Token types that the parser converts to nodes without loss. The parser drops other tokens, such as link definitions.
 */
const representedTokens = new Set(
  (
    'blockquote br checkbox code codespan del em escape heading hr html image lineBreak link list list_item math ' +
    'mathBlock orderedList paragraph space strong table taskItem taskList text'
  ).split(' '),
);

/**
 * Converts between Markdown and the document of the note editor. An unchanged top-level block is serialized as exactly
 * the text it was parsed from; only changed blocks are normalized.
 */
export class NoteMarkdown {
  readonly schema: Schema;
  readonly #engine: MarkdownEngine;
  /**
   * Serialized blocks by node. Nodes are immutable, so only blocks that changed since the last call are serialized
   * again.
   */
  readonly #written = new WeakMap<Node, WrittenBlock>();
  readonly #separators = new WeakMap<Node, { next: Node; separator: string }>();

  constructor(extensions: Extensions = noteExtensions) {
    this.schema = getSchema(extensions);
    this.#engine = new MarkdownEngine(extensions);
  }

  parse(markdown: string): JSONContent {
    const takeOriginal = originalReader(markdown);
    const blocks = parseBlocks(this.#engine, normalize(markdown));
    const content = blocks.map((block) => this.#createNode(block, takeOriginal));
    return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] };
  }

  /** Parses Markdown to a document of this instance's schema. */
  parseDocument(markdown: string): Node {
    return this.schema.nodeFromJSON(this.parse(markdown));
  }

  serialize(doc: Node): string {
    return this.#parts(doc).join('');
  }

  /** Returns the position in the serialized document at which each top-level block begins. */
  blockStarts(doc: Node): number[] {
    let at = 0;
    return this.#parts(doc).map((part) => {
      const start = at;
      at += part.length;
      return start;
    });
  }

  /** Returns the Markdown of each top-level block, including the separator up to the next block. */
  #parts(doc: Node): string[] {
    const blocks = doc.children.map((node) => this.#write(node));
    const [only] = blocks;
    if (blocks.length === 1 && only!.isUnchanged) return [only!.lead + only!.text + (only!.gap ?? '')];
    if (doc.children.every(isEmptyParagraph) && !blocks.every(({ isUnchanged }) => isUnchanged))
      return blocks.map(() => '');
    let eol = blocks.find((block) => block.eol !== undefined)?.eol ?? '\n';
    return blocks.map((block, index) => {
      eol = block.eol ?? eol;
      const lead = index === 0 ? block.lead : '';
      const text = block.gap === undefined ? withoutSource(doc, index, block).replaceAll('\n', eol) : block.text;
      if (index < blocks.length - 1) return lead + text + this.#separator(doc, index, eol);
      // Drop a blank line at the end of the document: it separated this block from one that was deleted. A blank line
      // without a following block would be parsed as an empty paragraph.
      const isLeftOver = block.gap === undefined || normalize(block.gap).includes('\n\n');
      return lead + text + (isLeftOver ? '' : block.gap);
    });
  }

  #createNode({ node, text, gap, token }: ParsedBlock, takeOriginal: (length: number) => string): JSONContent {
    const source = takeOriginal(text.length + gap.length);
    const valid = node && this.#toNode(node);
    const rendered = valid && this.#render(valid);
    if (valid && rendered !== undefined && (!token || this.#isRepresented(valid, token, text, rendered)))
      return { ...node, attrs: { ...node!.attrs, source, sourceHash: hashOf(rendered) } };
    const shown = text.replace(/^(?:[ \t]*\n)*/, '');
    return {
      type: 'sourceBlock',
      attrs: { source, sourceHash: hashOf(shown) },
      content: shown === '' ? [] : [{ type: 'text', text: shown }],
    };
  }

  /**
   * Converts JSON to a node. Returns undefined if the schema does not allow the node, because the editor could not edit
   * it.
   */
  #toNode(json: JSONContent): Node | undefined {
    convertInlineImages(json);
    try {
      const node = this.schema.nodeFromJSON(json);
      node.check();
      return node;
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #render(node: Node): string {
    return this.#engine.render(node.toJSON() as JSONContent);
  }

  /** Returns whether a parsed node represents its whole source text, so that serializing the node loses nothing. */
  #isRepresented(node: Node, token: MarkdownToken, text: string, rendered: string): boolean {
    if (rendered === '' && !/^\s*(?:&nbsp;)?\s*$/.test(text)) return false;
    if (rendered === text || isLossless(text, rendered)) return true;
    if (!hasOnly(token, representedTokens)) return false;
    const [again, ...others] = parseBlocks(this.#engine, rendered);
    return others.length === 0 && again?.node !== undefined && this.#toNode(again.node)?.eq(node) === true;
  }

  #write(node: Node): WrittenBlock {
    const found = this.#written.get(node);
    if (found) return found;
    const { source, sourceHash } = node.attrs as { source: string | null; sourceHash: string | null };
    const rendered = this.#render(node);
    const block = writeBlock(rendered, source, sourceHash === hashOf(rendered));
    this.#written.set(node, block);
    return block;
  }

  /**
   * Returns the text to write between a block and the next one: the original white space if it still separates them,
   * otherwise a blank line.
   */
  #separator(doc: Node, index: number, eol: string): string {
    const [node, next] = [doc.child(index), doc.child(index + 1)];
    const cached = this.#separators.get(node);
    if (cached?.next === next) return cached.separator;
    const [block, following] = [this.#write(node), this.#write(next)];
    const gap = block.gap ?? '';
    // A new block is preceded by a blank line even where Markdown does not require one.
    const isNew = following.gap === undefined;
    const isKept = isBlankLine(gap) || (!isNew && this.#separates(block.text, gap, following.text));
    const separator = isKept ? gap : eol + eol;
    this.#separators.set(node, { next, separator });
    return separator;
  }

  /**
   * Returns whether two blocks are still parsed as separate blocks with only `gap`, which contains no blank line,
   * between them.
   */
  #separates(before: string, gap: string, after: string): boolean {
    if (before === '' || after === '' || !/[\r\n]/.test(gap)) return false;
    const [head, white, tail] = [normalize(before), normalize(gap), normalize(after)];
    const [from, to] = [head.length, head.length + white.length];
    if (this.#engine.hasBoundary(head + white + tail, from, to)) return true;
    // For the lexer, adjacent task items and plain items form one list, without a boundary. The editor splits them into
    // several lists, so check the blocks that it parses.
    if (!listItem.test(head) || !listItem.test(tail)) return false;
    let at = 0;
    return parseBlocks(this.#engine, head + white + tail).some(
      (block) => (at += block.text.length + block.gap.length) === to,
    );
  }
}

const listItem = /^ {0,3}[-+*][ \t]/;

function writeBlock(rendered: string, source: string | null, isUnchanged: boolean): WrittenBlock {
  if (source === null) return { lead: '', text: rendered, gap: undefined, eol: undefined, isUnchanged: false };
  const eol = /\r\n?|\n/.exec(source)?.[0];
  const lead = /^(?:[ \t]*(?:\r\n?|\n))*/.exec(source)![0];
  if (lead === source) return { lead: '', text: isUnchanged ? '' : rendered, gap: source, eol, isUnchanged };
  const end = endOfText(source);
  const text = isUnchanged ? source.slice(lead.length, end) : rendered.replaceAll('\n', eol ?? '\n');
  return { lead, text, gap: source.slice(end), eol, isUnchanged };
}

/**
 * Returns the Markdown of a block that was not parsed from a source text. An empty paragraph after another empty one is
 * written as `&nbsp;`, because Markdown would drop it.
 */
function withoutSource(doc: Node, index: number, block: WrittenBlock): string {
  return isEmptyParagraph(doc.child(index)) && isEmptyParagraph(doc.maybeChild(index - 1)) ? '&nbsp;' : block.text;
}

const normalize = (text: string): string => text.replace(/\r\n?/g, '\n');

/**
 * Returns a function that reads the next part of the original text. The length passed to it counts each `\r\n` as one
 * character.
 */
function originalReader(markdown: string): (length: number) => string {
  let at = 0;
  const hasReturns = markdown.includes('\r');
  return (length) => {
    const start = at;
    if (!hasReturns) at += length;
    else for (let left = length; left > 0; left -= 1) at += markdown.startsWith('\r\n', at) ? 2 : 1;
    return markdown.slice(start, at);
  };
}

const isBlankLine = (gap: string): boolean => /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)/.test(gap);

const isEmptyParagraph = (node: Node | null): boolean => node?.type.name === 'paragraph' && node.content.size === 0;

function hasOnly(token: MarkdownToken, types: ReadonlySet<string>): boolean {
  const children = [
    ...(token.tokens ?? []),
    ...(token.items ?? []),
    ...((token['nestedTokens'] as MarkdownToken[]) ?? []),
  ];
  return types.has(token.type ?? '') && children.every((child) => hasOnly(child, types));
}

/** Returns a 53-bit hash of a text (cyrb53), which suffices to detect that a block has changed. */
function hashOf(text: string): string {
  let [high, low] = [0xde_ad_be_ef, 0x41_c6_ce_57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}
