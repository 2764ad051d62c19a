/** A change of a text: replaces `old`, or adds or replaces text at a heading or at the end. */
export interface TextEdit {
  /**
   * Text to replace. It must occur exactly `count` times (default: once), below the heading `under` if that is given.
   */
  old?: string | undefined;
  new: string;
  count?: number | undefined;
  /**
   * Heading below which `old` is replaced. Without `old`, the new text is added at the end of the heading's own text,
   * before the next heading.
   */
  under?: string | undefined;
  /** Heading directly below which the new text is inserted. */
  after?: string | undefined;
  /** Heading whose section is replaced: everything up to the next heading of the same or a higher level. */
  replaceSection?: string | undefined;
  /** Whether the new text is added at the end of the note. */
  atEnd?: boolean | undefined;
}

/** A changed line: its number, starting at 1, and its text, shortened if it is long. */
export interface ChangedLine {
  line: number;
  text: string;
}

/**
 * Result of a refused edit, which changed nothing. `refused` is an error message that names the input field, the
 * violated rule and the refused value.
 */
export interface TextRefusal {
  refused: string;
}

export interface EditedText {
  text: string;
  changes: ChangedLine[];
}

export interface TaskChange {
  line?: number | undefined;
  /** Text of the task to change. If `line` is not given, exactly one task of the note must have this text. */
  text?: string | undefined;
  done?: boolean | undefined;
  /** New due date as YYYY-MM-DD; '' removes the due date, and undefined keeps it. */
  due?: string | undefined;
}

export interface Replacement {
  old: string;
  new: string;
  ignoreCase?: boolean | undefined;
  wholeWord?: boolean | undefined;
}

export interface ReplacedText {
  text: string;
  count: number;
  /** The first changed lines, with their new text. */
  changes: ChangedLine[];
}

export interface OutlineHeading {
  /** Line number of the heading, starting at 1. */
  line: number;
  level: number;
  text: string;
  /**
   * Offset of the heading, and offset of the end of its section. The section includes the headings of lower levels
   * below it.
   */
  from: number;
  to: number;
}

export interface TextOutline {
  headings: OutlineHeading[];
  /** Whether the text has more headings than are listed. */
  isCut: boolean;
}

export type LinkKind = 'note' | 'item' | 'sheet';

export interface ScannedLink {
  /**
   * Kind of the target if the link contains an id; '' for a wiki link such as `[[Budget]]`, which has only a title.
   */
  kind: LinkKind | '';
  /** Id of the target in the link's address; '' for a wiki link such as `[[Budget]]`, which has only a title. */
  targetId: string;
  /** Title in double brackets as written. For a link with an id, the text of the link. */
  title: string;
  titleKey: string;
  heading: string;
  /** Line of the link's first occurrence, starting at 1. */
  line: number;
  /**
   * Sentence around the link's first occurrence, shown where the links to a note are listed. '' if the note has so many
   * links that their sentences would be longer than the note.
   */
  sentence: string;
  occurrences: number;
}

export interface ScannedTask {
  line: number;
  text: string;
  isDone: boolean;
  /** Due date of the task as YYYY-MM-DD; '' if there is none. */
  due: string;
}

export interface ScannedTag {
  tag: string;
  key: string;
}

/** Links, tags and tasks found in a note's text. Each list has a maximum length; further ones are left out. */
export interface NoteScan {
  links: ScannedLink[];
  tags: ScannedTag[];
  tasks: ScannedTask[];
}

/**
 * Passage of a note to which a comment refers: the quoted text, the text around it, and its approximate position, by
 * which the passage is found again after edits (see @sheaf/markdown/quote-anchor).
 */
export interface TextAnchor {
  quote: string;
  before: string;
  after: string;
  at: number;
}

export interface QuoteRequest {
  quote: string;
  /** Text directly before and after the quote, to tell equal quotes apart; '' if unknown. */
  before: string;
  after: string;
  /** Number of the line in which the quote begins, starting at 1. If undefined, the quote is searched in all lines. */
  line?: number | undefined;
}

export interface AnchoredQuote extends TextAnchor {
  /** Heading above the quote in the note; '' if there is none. */
  heading: string;
}

export interface LocatedQuote {
  /**
   * Number of the line in which the quote begins, starting at 1. `from` and `to` are the quote's start and end offsets.
   */
  line: number;
  from: number;
  to: number;
  /** Whether the quoted text has been edited since it was quoted. */
  isChanged: boolean;
}

/**
 * Edits, compares and scans the Markdown of notes. Does not block the event loop; rejects with TextTooComplex if a text
 * takes too long. `owner` is the id of the calling user: users take turns, so that one with many long texts does not
 * delay the others.
 */
export interface NoteText {
  edit(owner: string, markdown: string, edits: readonly TextEdit[]): Promise<EditedText | TextRefusal>;
  setTask(owner: string, markdown: string, change: TaskChange): Promise<EditedText | TextRefusal>;
  replace(owner: string, markdown: string, replacement: Replacement): Promise<ReplacedText>;
  /**
   * Updates wiki links such as `[[Budget]]` after a note was renamed: replaces each link title whose key (its
   * normalized form) is one of `titleKeys` by the target's title. If double brackets cannot contain that title, the
   * link becomes a Markdown link to the target's id.
   */
  relink(owner: string, markdown: string, titleKeys: readonly string[], target: LinkTarget): Promise<ReplacedText>;
  /** Returns a unified diff of two texts; '' if they are equal. */
  diff(owner: string, before: string, after: string): Promise<string>;
  outline(owner: string, markdown: string): Promise<TextOutline>;
  scan(owner: string, markdown: string): Promise<NoteScan>;
  /**
   * Finds a quoted passage in a note's text and creates an anchor, by which the passage can be found again after edits.
   * Returns a refusal if the passage does not occur, or occurs several times and the request does not tell which one is
   * meant.
   */
  anchorQuote(owner: string, markdown: string, request: QuoteRequest): Promise<AnchoredQuote | TextRefusal>;
  /** Finds the quoted passages in a note's text. The result is null for an anchor whose passage was deleted. */
  locateQuotes(owner: string, markdown: string, anchors: readonly TextAnchor[]): Promise<(LocatedQuote | null)[]>;
}

export interface LinkTarget {
  id: string;
  title: string;
}

export class TextTooComplex extends Error {}
