/** A Markdown text as indexed for search. */
export interface MarkdownText {
  /** Plain text without markup. */
  text: string;
  /** Headings of the text, one per line. */
  headings: string;
}

/** A Markdown text as displayed. */
export interface MarkdownView extends MarkdownText {
  /** Blocks of the text, as a JSON array. */
  blocks: string;
}

/** The beginning of a Markdown text, as shown in lists. */
export interface MarkdownHead {
  title: string;
  /** First heading, if the text begins with it and more text follows; otherwise null. */
  opening: string | null;
  /** First words of the text. `afterOpening` has the first words after `opening`. */
  summary: string;
  afterOpening: string;
  /** URL of the first image, or ''. */
  coverImage: string;
}

/**
 * Parses untrusted Markdown. Guarantees: never throws because of the content, never blocks the event loop, and always
 * ends; a text that takes too long is parsed line by line instead. Texts of one owner are queued, so that one owner
 * cannot delay others.
 */
export interface MarkdownParser {
  parse(markdown: string, owner: string): Promise<MarkdownView>;
  /**
   * Parses a text like `parse`, but returns no blocks. If the head of the text was just parsed, the result comes from a
   * cache.
   */
  parseText(markdown: string, owner: string): Promise<MarkdownText>;
  parseHead(markdown: string, owner: string): Promise<MarkdownHead>;
  close(): Promise<void>;
}
