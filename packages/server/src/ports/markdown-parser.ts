/** Text of a Markdown document as indexed for search. */
export interface MarkdownText {
  /** Plain text of the document without markup. */
  text: string;
  /** Headings of the document, one per line. */
  headings: string;
}

/** Content of a Markdown document as displayed. */
export interface MarkdownView extends MarkdownText {
  /** Blocks of the document, as a JSON array. */
  blocks: string;
}

/** Beginning of a Markdown document, as shown in lists. */
export interface MarkdownHead {
  title: string;
  /** First heading, if the text begins with it and more text follows; otherwise null. */
  opening: string | null;
  /** First words of the text. `afterOpening` contains the first words after the heading in `opening`. */
  summary: string;
  afterOpening: string;
  /** URL of the first image in the document; '' if there is none. */
  coverImage: string;
}

/**
 * Parses untrusted Markdown. Never throws because of the content and never blocks the event loop. A text that takes too
 * long is parsed line by line instead. Long texts of one owner (the user whose text it is) are parsed one after
 * another, so that one owner cannot delay others.
 */
export interface MarkdownParser {
  parse(markdown: string, owner: string): Promise<MarkdownView>;
  /**
   * Parses a text like `parse`, but returns no blocks. The result comes from a cache if `parseHead` has just parsed the
   * same text.
   */
  parseText(markdown: string, owner: string): Promise<MarkdownText>;
  parseHead(markdown: string, owner: string): Promise<MarkdownHead>;
  close(): Promise<void>;
}
