import type { MarkdownHead, MarkdownReader, MarkdownText, MarkdownView } from '../../ports/markdown-reader.ts';
import { ReadingLane } from './reading-lane.ts';

export interface MarkdownThreadsOptions {
  /** The worker's bundle, which parses { part, markdown }. */
  script: string | URL;
  /** Synchronous parsers for texts that take little work; undefined for others. */
  quickView: (markdown: string) => MarkdownView | undefined;
  quickHead: (markdown: string) => { head: MarkdownHead; text: MarkdownText } | undefined;
  /** Linear-time fallbacks for texts that a thread did not parse in time. */
  roughView: (markdown: string) => MarkdownView;
  roughHead: (markdown: string) => MarkdownHead;
  /** Number of characters that a head is parsed from. */
  headLength: number;
  timeoutMs?: number;
}

/** Time limit for a whole text; the longest allowed note takes two seconds on a fast processor. */
const wholeMs = 10_000;
/** Time limit for a head; parsing takes some milliseconds, the rest allows for starting a thread. */
const headMs = 2000;
/** Size limit of the text cache in characters; it holds texts parsed with their heads until the search index reads them. */
const maxKept = 6 * 2 ** 20;

/** Parses long texts in threads. Heads have their own thread, so that saving a note does not wait for whole texts. */
export class MarkdownThreads implements MarkdownReader {
  readonly #options: MarkdownThreadsOptions;
  readonly #whole: ReadingLane<MarkdownView>;
  readonly #head: ReadingLane<MarkdownHead>;
  readonly #texts = new Map<string, MarkdownText>();
  #kept = 0;

  constructor(options: MarkdownThreadsOptions) {
    const { script, roughView, roughHead, timeoutMs } = options;
    this.#options = options;
    this.#whole = new ReadingLane({
      script,
      part: 'whole',
      threads: 2,
      timeoutMs: timeoutMs ?? wholeMs,
      rough: roughView,
    });
    this.#head = new ReadingLane({
      script,
      part: 'head',
      threads: 1,
      timeoutMs: timeoutMs ?? headMs,
      rough: roughHead,
    });
  }

  async read(markdown: string, owner: string): Promise<MarkdownView> {
    return this.#options.quickView(markdown) ?? this.#whole.read(markdown, owner);
  }

  async text(markdown: string, owner: string): Promise<MarkdownText> {
    return this.#taken(markdown) ?? this.#options.quickHead(markdown)?.text ?? this.#whole.read(markdown, owner);
  }

  async head(markdown: string, owner: string): Promise<MarkdownHead> {
    const quick = this.#options.quickHead(markdown);
    if (quick) this.#keep(markdown, quick.text);
    // The extra character tells the parser that the text continues.
    return quick?.head ?? this.#head.read(markdown.slice(0, this.#options.headLength + 1), owner);
  }

  #keep(markdown: string, text: MarkdownText): void {
    this.#taken(markdown);
    this.#texts.set(markdown, text);
    this.#kept += lengthOf(markdown, text);
    for (const [oldest, its] of this.#texts) {
      if (this.#kept <= maxKept) break;
      this.#texts.delete(oldest);
      this.#kept -= lengthOf(oldest, its);
    }
  }

  /** Removes the text from the cache: the search index reads a new text once. */
  #taken(markdown: string): MarkdownText | undefined {
    const text = this.#texts.get(markdown);
    if (!text) return undefined;
    this.#texts.delete(markdown);
    this.#kept -= lengthOf(markdown, text);
    return text;
  }

  async close(): Promise<void> {
    await Promise.all([this.#whole.close(), this.#head.close()]);
  }
}

function lengthOf(markdown: string, { text, headings }: MarkdownText): number {
  return markdown.length + text.length + headings.length;
}
