/** A Markdown text as the product shows and searches it. */
export interface MarkdownView {
  /** Reads well without markup. */
  text: string;
  /** One a line. */
  headings: string;
  /** The array of blocks, as JSON. */
  blocks: string;
}

/**
 * Reads Markdown nobody vouches for. Guarantees: never throws for what the text holds, never stalls the event loop for
 * long, and ends; a text that cannot be read in time is given back as it is written.
 */
export interface MarkdownReader {
  read(markdown: string): Promise<MarkdownView>;
  close(): Promise<void>;
}
