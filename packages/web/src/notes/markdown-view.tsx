import { EditorContent, useEditor } from '@tiptap/react';
import type { ReactNode } from 'react';
import { extensions } from './extensions.ts';
import { inert } from './inert.ts';

/** Markdown to read, through the same schema as the editor: only what that knows is shown, nothing of it can run. */
export function MarkdownView({ text }: { text: string }): ReactNode {
  const editor = useEditor({
    extensions,
    content: inert(text),
    contentType: 'markdown',
    editable: false,
    injectCSS: false,
    // Read, not written: no text box for readers of the screen.
    editorProps: { attributes: { class: 'prose', role: 'document' } },
  });
  return <EditorContent editor={editor} />;
}
