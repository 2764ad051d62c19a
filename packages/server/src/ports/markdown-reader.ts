/** A Markdown text as search sees it. */
export interface MarkdownText {
  /** Reads well without markup. */
  text: string;
  /** One a line. */
  headings: string;
}

/** A Markdown text as the product shows it. */
export interface MarkdownView extends MarkdownText {
  /** The array of blocks, as JSON. */
  blocks: string;
}

/** What a list shows of a Markdown text, from its beginning. */
export interface MarkdownHead {
  title: string;
  /** The heading it begins with, where more follows; else null. */
  opening: string | null;
  /** The first words, and the first words after that heading. */
  summary: string;
  afterOpening: string;
  /** The address of the first picture, or ''. */
  coverImage: string;
}

/**
 * Reads Markdown nobody vouches for. Guarantees: never throws for what the text holds, never stalls the event loop, and
 * ends; a text that cannot be read in time is read line by line instead. One owner's texts wait for each other, never
 * everybody's for one owner's.
 */
export interface MarkdownReader {
  read(markdown: string, owner: string): Promise<MarkdownView>;
  /** The same without the blocks. Of a text whose head was just read it is known already. */
  text(markdown: string, owner: string): Promise<MarkdownText>;
  head(markdown: string, owner: string): Promise<MarkdownHead>;
  close(): Promise<void>;
}
