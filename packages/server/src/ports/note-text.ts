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
  /** Whether the new text is added at the end of the text. */
  atEnd?: boolean | undefined;
}

/** A changed line: its number, starting at 1, and its text, shortened if it is long. */
export interface ChangedLine {
  line: number;
  text: string;
}

/** Reason why a text was not changed, naming the field, the rule and the value. */
export interface TextRefusal {
  refused: string;
}

export interface EditedText {
  text: string;
  changes: ChangedLine[];
}

export interface TaskChange {
  line?: number | undefined;
  /** Text of the task. It must be unique if `line` is not given. */
  text?: string | undefined;
  done?: boolean | undefined;
  /** Date as YYYY-MM-DD; '' removes it. */
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
  /** Line number, starting at 1. */
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
  /** Sentence that contains the link's first occurrence. */
  sentence: string;
  occurrences: number;
}

export interface ScannedTask {
  line: number;
  text: string;
  isDone: boolean;
  /** Date as YYYY-MM-DD; '' if there is none. */
  due: string;
}

export interface ScannedTag {
  tag: string;
  key: string;
}

/** Links, tags and tasks of a text. Each list is bounded. */
export interface NoteScan {
  links: ScannedLink[];
  tags: ScannedTag[];
  tasks: ScannedTask[];
}

/** A quoted text of a note with the text around it (see @sheaf/markdown/quote-anchor). */
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
  /** Line in which the quote begins. */
  line?: number | undefined;
}

export interface AnchoredQuote extends TextAnchor {
  /** Heading above the quote; '' if there is none. */
  heading: string;
}

export interface LocatedQuote {
  /** Line in which the quote begins, starting at 1, followed by the quote's offsets. */
  line: number;
  from: number;
  to: number;
  /** Whether the quoted text was edited. */
  isChanged: boolean;
}

/**
 * Edits, compares and scans the Markdown of notes. Does not block the event loop; rejects with TextTooComplex if a text
 * takes too long. Texts of one owner are queued.
 */
export interface NoteText {
  edit(owner: string, markdown: string, edits: readonly TextEdit[]): Promise<EditedText | TextRefusal>;
  setTask(owner: string, markdown: string, change: TaskChange): Promise<EditedText | TextRefusal>;
  replace(owner: string, markdown: string, replacement: Replacement): Promise<ReplacedText>;
  /**
   * Renames wiki links such as `[[Budget]]`: replaces each link title whose key (its normalized form) is one of
   * `titleKeys` by the target's title.
   */
  relink(owner: string, markdown: string, titleKeys: readonly string[], target: LinkTarget): Promise<ReplacedText>;
  /** Returns a unified diff of two texts; '' if they are equal. */
  diff(owner: string, before: string, after: string): Promise<string>;
  outline(owner: string, markdown: string): Promise<TextOutline>;
  scan(owner: string, markdown: string): Promise<NoteScan>;
  /**
   * Finds a quoted passage in a note's text and creates an anchor, by which the passage can be found again after
   * edits.
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
