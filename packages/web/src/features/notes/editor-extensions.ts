import { Markdown } from '@tiptap/markdown';
import { noteExtensions } from '@sheaf/markdown/note-extensions';
import { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import { EditableMath } from './math-extensions.ts';
import { SafeImage, SafeInlineImage } from './safe-image-extension.ts';
import { SyntaxHighlight } from './syntax-highlight-extension.ts';

const replacements = new Map([EditableMath, SafeImage, SafeInlineImage].map((each) => [each.name, each]));

export const editorExtensions = [...noteExtensions.map((each) => replacements.get(each.name) ?? each), SyntaxHighlight];

/** For showing Markdown only: elements of HTML that the schema has are shown as such, not as their source. */
export const viewExtensions = [...editorExtensions, Markdown];

/** Shared by all editors, because registering the parser's extensions takes longer than parsing a short note. */
export const noteMarkdown = new NoteMarkdown();
