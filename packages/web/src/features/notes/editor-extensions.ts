import { Markdown } from '@tiptap/markdown';
import { noteExtensions } from '@sheaf/markdown/note-extensions';
import { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import { EditableMath } from './math-extensions.ts';
import { SafeImage, SafeInlineImage } from './safe-image-extension.ts';
import { SyntaxHighlight } from './syntax-highlight-extension.ts';

const replacements = new Map([EditableMath, SafeImage, SafeInlineImage].map((each) => [each.name, each]));

export const editorExtensions = [...noteExtensions.map((each) => replacements.get(each.name) ?? each), SyntaxHighlight];

/** Extensions of the read-only view. HTML elements that the schema supports are rendered instead of shown as source. */
export const viewExtensions = [...editorExtensions, Markdown];

/** One instance for all editors, because registering the parser's extensions takes longer than parsing a short note. */
export const noteMarkdown = new NoteMarkdown();
