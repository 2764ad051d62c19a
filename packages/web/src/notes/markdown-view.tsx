import { EditorContent, useEditor } from '@tiptap/react';
import type { ReactNode } from 'react';
import { extensions } from './extensions.ts';
import { inert } from './inert.ts';

/** Read-only Markdown rendered through the editor's schema: only known elements are shown, and no script can run. */
export function MarkdownView({ text }: { text: string }): ReactNode {
  const editor = useEditor({
    extensions,
    content: inert(text),
    contentType: 'markdown',
    editable: false,
    injectCSS: false,
    // Read-only: role `document` instead of a text box for screen readers.
    editorProps: { attributes: { class: 'prose', role: 'document' } },
  });
  return <EditorContent editor={editor} />;
}
