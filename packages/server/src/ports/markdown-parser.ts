/** A Markdown text as indexed for search. */
export interface MarkdownText {
  /** Plain text without markup. */
  text: string;
  /** One heading per line. */
  headings: string;
}

/** A Markdown text as the product displays it. */
export interface MarkdownView extends MarkdownText {
  /** The array of blocks, as JSON. */
  blocks: string;
}

/** The beginning of a Markdown text, as shown in lists. */
export interface MarkdownHead {
  title: string;
  /** The heading the text begins with, if more text follows; otherwise null. */
  opening: string | null;
  /** The first words of the text, and the first words after `opening`. */
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
  /** Like `parse`, without the blocks. Cached for a text whose head was just parsed. */
  parseText(markdown: string, owner: string): Promise<MarkdownText>;
  parseHead(markdown: string, owner: string): Promise<MarkdownHead>;
  close(): Promise<void>;
}
