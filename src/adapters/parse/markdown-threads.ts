import type { MarkdownHead, MarkdownReader, MarkdownView } from '../../ports/markdown-reader.ts';
import { ReadingLane } from './reading-lane.ts';

export interface MarkdownThreadsOptions {
  /** The bundled worker that reads { part, markdown }. */
  script: string | URL;
  /** The same readings, here and now, of texts that take next to no work; undefined of others. */
  quickView: (markdown: string) => MarkdownView | undefined;
  quickHead: (markdown: string) => MarkdownHead | undefined;
  /** Linear ones, for texts that a thread did not read in time. */
  roughView: (markdown: string) => MarkdownView;
  roughHead: (markdown: string) => MarkdownHead;
  /** Characters that a head is read from. */
  headLength: number;
  timeoutMs?: number;
}

const wholeMs = 5000;
/** A head takes some milliseconds; the rest is for a thread that is new on a machine that is busy. */
const headMs = 2000;

/** Long texts are read in threads. Heads have one of their own: who writes a note waits for no reading of whole texts. */
export class MarkdownThreads implements MarkdownReader {
  readonly #options: MarkdownThreadsOptions;
  readonly #whole: ReadingLane<MarkdownView>;
  readonly #head: ReadingLane<MarkdownHead>;

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

  async head(markdown: string, owner: string): Promise<MarkdownHead> {
    // One character more tells the reader that the text goes on.
    return this.#options.quickHead(markdown) ?? this.#head.read(markdown.slice(0, this.#options.headLength + 1), owner);
  }

  async close(): Promise<void> {
    await Promise.all([this.#whole.close(), this.#head.close()]);
  }
}
