import type { MarkdownHead, MarkdownParser, MarkdownText, MarkdownView } from '../../ports/markdown-parser.ts';
import { MarkdownThreadPool } from './markdown-thread-pool.ts';

export interface ThreadedMarkdownParserOptions {
  /** Path of the worker thread's bundle. The worker parses messages of the form { part, markdown }. */
  script: string | URL;
  /**
   * `quickView` and `quickHead` parse short texts synchronously. They return undefined if a text takes too much work;
   * it is then parsed in a thread.
   */
  quickView: (markdown: string) => MarkdownView | undefined;
  quickHead: (markdown: string) => { head: MarkdownHead; text: MarkdownText } | undefined;
  /**
   * `fallbackView` and `fallbackHead` parse a text after the worker thread failed or took too long. They take linear
   * time.
   */
  fallbackView: (markdown: string) => MarkdownView;
  fallbackHead: (markdown: string) => MarkdownHead;
  /** Number of leading characters of a note from which its head (title, summary and cover image) is parsed. */
  headLength: number;
  timeoutMs?: number;
}

/**
 * Time limit in milliseconds for parsing a whole text. The longest allowed note takes two seconds on a fast processor.
 */
const wholeMs = 10_000;
/**
 * Time limit in milliseconds for parsing the head of a note (title, summary and cover image). Parsing takes a few
 * milliseconds; the rest is for starting a thread.
 */
const headMs = 2000;
/**
 * Maximum total length in characters of the cached texts. A text that was parsed together with the head of its note is
 * cached until the search index reads it.
 */
const maxCachedLength = 6 * 2 ** 20;

/**
 * Parses long texts in threads. The heads of notes (title and summary) have a separate thread, so that saving a note
 * does not wait for the parsing of whole texts.
 */
export class ThreadedMarkdownParser implements MarkdownParser {
  readonly #options: ThreadedMarkdownParserOptions;
  readonly #whole: MarkdownThreadPool<MarkdownView>;
  readonly #head: MarkdownThreadPool<MarkdownHead>;
  readonly #texts = new Map<string, MarkdownText>();
  #cachedLength = 0;

  constructor(options: ThreadedMarkdownParserOptions) {
    const { script, fallbackView, fallbackHead, timeoutMs } = options;
    this.#options = options;
    this.#whole = new MarkdownThreadPool({
      script,
      part: 'whole',
      threads: 2,
      timeoutMs: timeoutMs ?? wholeMs,
      fallback: fallbackView,
    });
    this.#head = new MarkdownThreadPool({
      script,
      part: 'head',
      threads: 1,
      timeoutMs: timeoutMs ?? headMs,
      fallback: fallbackHead,
    });
  }

  async parse(markdown: string, owner: string): Promise<MarkdownView> {
    return this.#options.quickView(markdown) ?? this.#whole.parse(markdown, owner);
  }

  async parseText(markdown: string, owner: string): Promise<MarkdownText> {
    return this.#takeCached(markdown) ?? this.#options.quickHead(markdown)?.text ?? this.#whole.parse(markdown, owner);
  }

  async parseHead(markdown: string, owner: string): Promise<MarkdownHead> {
    const quick = this.#options.quickHead(markdown);
    if (quick) this.#cache(markdown, quick.text);
    // Pass one character more than the parser needs for the note's head, so that it can detect that the text continues.
    return quick?.head ?? this.#head.parse(markdown.slice(0, this.#options.headLength + 1), owner);
  }

  #cache(markdown: string, text: MarkdownText): void {
    this.#takeCached(markdown);
    this.#texts.set(markdown, text);
    this.#cachedLength += lengthOf(markdown, text);
    for (const [oldest, its] of this.#texts) {
      if (this.#cachedLength <= maxCachedLength) break;
      this.#texts.delete(oldest);
      this.#cachedLength -= lengthOf(oldest, its);
    }
  }

  /** Returns the cached text and removes it from the cache, because the search index reads a new text only once. */
  #takeCached(markdown: string): MarkdownText | undefined {
    const text = this.#texts.get(markdown);
    if (!text) return undefined;
    this.#texts.delete(markdown);
    this.#cachedLength -= lengthOf(markdown, text);
    return text;
  }

  async close(): Promise<void> {
    await Promise.all([this.#whole.close(), this.#head.close()]);
  }
}

function lengthOf(markdown: string, { text, headings }: MarkdownText): number {
  return markdown.length + text.length + headings.length;
}
