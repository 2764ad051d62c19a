import type { MarkdownHead, MarkdownReader, MarkdownText, MarkdownView } from '../../ports/markdown-reader.ts';
import { ReadingLane } from './reading-lane.ts';

export interface MarkdownThreadsOptions {
  /** The bundled worker that reads { part, markdown }. */
  script: string | URL;
  /** The same readings, here and now, of texts that take next to no work; undefined of others. */
  quickView: (markdown: string) => MarkdownView | undefined;
  quickHead: (markdown: string) => { head: MarkdownHead; text: MarkdownText } | undefined;
  /** Linear ones, for texts that a thread did not read in time. */
  roughView: (markdown: string) => MarkdownView;
  roughHead: (markdown: string) => MarkdownHead;
  /** Characters that a head is read from. */
  headLength: number;
  timeoutMs?: number;
}

/** The longest note there may be takes two seconds of a quick processor. */
const wholeMs = 10_000;
/** A head takes some milliseconds; the rest is for a thread that is new. */
const headMs = 2000;
/** Characters of texts that are kept from the reading of their heads until the index asks for them. */
const maxKept = 6 * 2 ** 20;

/** Long texts are read in threads. Heads have one of their own: who writes a note waits for no reading of whole texts. */
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
    // One character more tells the reader that the text goes on.
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

  /** Once: the index asks for a text that was written, then nobody for a while. */
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
