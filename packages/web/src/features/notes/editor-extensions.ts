import { Markdown } from '@tiptap/markdown';
import { noteExtensions } from '@sheaf/markdown/note-extensions';
import { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import { EditableMath } from './math-extensions.ts';
import { SafeImage, SafeInlineImage } from './safe-image-extension.ts';
import { SyntaxHighlight } from './syntax-highlight-extension.ts';

const replacements = new Map([EditableMath, SafeImage, SafeInlineImage].map((each) => [each.name, each]));

export const editorExtensions = [...noteExtensions.map((each) => replacements.get(each.name) ?? each), SyntaxHighlight];

/**
 * Extensions of the read-only view of Markdown. Unlike the editor, this view renders HTML elements in the Markdown, if
 * the document schema supports them, instead of showing their source.
 */
export const viewExtensions = [...editorExtensions, Markdown];

/**
 * Converter between Markdown and editor documents. All editors share one instance, because registering its extensions
 * takes longer than parsing a short note.
 */
export const noteMarkdown = new NoteMarkdown();
