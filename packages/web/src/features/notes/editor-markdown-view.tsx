import { EditorContent, useEditor } from '@tiptap/react';
import type { ReactNode } from 'react';
import { viewExtensions } from './editor-extensions.ts';
import { stripActiveAttributes } from './strip-active-attributes.ts';

/** Shows read-only Markdown with the editor's schema. Only elements of the schema are created, so no script can run. */
export function EditorMarkdownView({ text }: { text: string }): ReactNode {
  const editor = useEditor({
    extensions: viewExtensions,
    content: stripActiveAttributes(text),
    contentType: 'markdown',
    editable: false,
    injectCSS: false,
    // Role `document`, because screen readers would otherwise announce an editable text box.
    editorProps: { attributes: { class: 'prose', role: 'document' } },
  });
  return <EditorContent editor={editor} />;
}
