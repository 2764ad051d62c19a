import { EditorContent, useEditor } from '@tiptap/react';
import type { ReactNode } from 'react';
import { editorExtensions } from './editor-extensions.ts';
import { stripActiveAttributes } from './strip-active-attributes.ts';

/** Read-only Markdown rendered through the editor's schema: only known elements are shown, and no script can run. */
export function EditorMarkdownView({ text }: { text: string }): ReactNode {
  const editor = useEditor({
    extensions: editorExtensions,
    content: stripActiveAttributes(text),
    contentType: 'markdown',
    editable: false,
    injectCSS: false,
    // Read-only: role `document` instead of a text box for screen readers.
    editorProps: { attributes: { class: 'prose', role: 'document' } },
  });
  return <EditorContent editor={editor} />;
}
