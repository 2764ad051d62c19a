import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react';
import { Bold, Code, Code2, Heading1, Heading2, Heading3, Italic, Link2, List, ListChecks, ListOrdered, Minus, Quote, Redo2, Strikethrough, Table2, Undo2 } from 'lucide-react';
import { useEffect, useImperativeHandle, useState, type ReactNode, type Ref } from 'react';
import { useText, type Text } from '../text/use-text.ts';
import { askText } from '../ui/ask.tsx';
import { IconButton } from '../ui/button.tsx';
import { extensions } from './extensions.ts';
import { inert } from './inert.ts';
import { losesNothing } from './round-trip.ts';

export interface EditorHandle {
  /** Replaces the text from outside, without counting as typed. */
  show(text: string): void;
}

interface Props {
  initial: string;
  selectHeading: boolean;
  onChange: (markdown: string) => void;
  /** The text has something that this editor would drop: it is better edited as Markdown. */
  onUnfit: () => void;
  ref: Ref<EditorHandle>;
}

/** Markdown as it reads. What is written out differs from what came in only where something was typed. */
export function RichEditor({ initial: given, selectHeading, onChange, onUnfit, ref }: Props): ReactNode {
  const text = useText();
  const [initial] = useState(given);
  const editor = useEditor({
    extensions,
    content: inert(initial),
    contentType: 'markdown',
    // The policy allows no style that is not a file of ours; styles.css has these rules.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { class: 'prose', 'aria-label': text('noteText'), role: 'textbox', 'aria-multiline': 'true' },
      handleClick: (_view, _position, event) => openLink(event),
    },
    onCreate: ({ editor: made }) => {
      // A new note opens with its placeholder heading selected: typing replaces the words and keeps the heading.
      if (selectHeading) made.chain().setTextSelection({ from: 1, to: (made.state.doc.firstChild?.nodeSize ?? 2) - 1 }).focus().run();
    },
    onUpdate: ({ editor: changed }) => onChange(changed.getMarkdown()),
  });
  useImperativeHandle(ref, () => ({
    show(markdown) {
      if (!editor) return;
      const { from } = editor.state.selection;
      editor.commands.setContent(inert(markdown), { contentType: 'markdown', emitUpdate: false });
      if (editor.isFocused) editor.commands.setTextSelection(Math.min(from, editor.state.doc.content.size));
    },
  }));
  useEffect(() => {
    if (editor && !losesNothing(initial, editor.getMarkdown())) onUnfit();
  }, [editor, initial, onUnfit]);
  if (!editor) return null;
  return (
    <>
      <Toolbar editor={editor} />
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
        <EditorContent editor={editor} className="mx-auto max-w-3xl px-5 py-8 md:px-10" />
      </div>
    </>
  );
}

function openLink(event: MouseEvent): boolean {
  const link = (event.target as HTMLElement).closest('a');
  if (!link || !(event.ctrlKey || event.metaKey) || !/^(https?|mailto):/.test(link.href)) return false;
  window.open(link.href, '_blank', 'noopener,noreferrer');
  return true;
}

interface Tool {
  label: string;
  icon: ReactNode;
  active?: boolean;
  disabled?: boolean;
  run: () => void;
}

function Toolbar({ editor }: { editor: Editor }): ReactNode {
  const text = useText();
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      strike: now.isActive('strike'),
      code: now.isActive('code'),
      link: now.isActive('link'),
      h1: now.isActive('heading', { level: 1 }),
      h2: now.isActive('heading', { level: 2 }),
      h3: now.isActive('heading', { level: 3 }),
      bullets: now.isActive('bulletList'),
      numbers: now.isActive('orderedList'),
      tasks: now.isActive('taskList'),
      quote: now.isActive('blockquote'),
      block: now.isActive('codeBlock'),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  });
  const chain = () => editor.chain().focus();
  const groups: Tool[][] = [
    [
      { label: text('undo'), icon: <Undo2 size={16} />, disabled: !state.canUndo, run: () => chain().undo().run() },
      { label: text('redo'), icon: <Redo2 size={16} />, disabled: !state.canRedo, run: () => chain().redo().run() },
    ],
    [
      { label: text('heading1'), icon: <Heading1 size={17} />, active: state.h1, run: () => chain().toggleHeading({ level: 1 }).run() },
      { label: text('heading2'), icon: <Heading2 size={17} />, active: state.h2, run: () => chain().toggleHeading({ level: 2 }).run() },
      { label: text('heading3'), icon: <Heading3 size={17} />, active: state.h3, run: () => chain().toggleHeading({ level: 3 }).run() },
    ],
    [
      { label: text('bold'), icon: <Bold size={16} />, active: state.bold, run: () => chain().toggleBold().run() },
      { label: text('italic'), icon: <Italic size={16} />, active: state.italic, run: () => chain().toggleItalic().run() },
      { label: text('strike'), icon: <Strikethrough size={16} />, active: state.strike, run: () => chain().toggleStrike().run() },
      { label: text('code'), icon: <Code size={16} />, active: state.code, run: () => chain().toggleCode().run() },
      { label: text('link'), icon: <Link2 size={16} />, active: state.link, run: () => void setLink(editor, text) },
    ],
    [
      { label: text('bullets'), icon: <List size={17} />, active: state.bullets, run: () => chain().toggleBulletList().run() },
      { label: text('numbers'), icon: <ListOrdered size={17} />, active: state.numbers, run: () => chain().toggleOrderedList().run() },
      { label: text('tasks'), icon: <ListChecks size={17} />, active: state.tasks, run: () => chain().toggleTaskList().run() },
    ],
    [
      { label: text('quote'), icon: <Quote size={16} />, active: state.quote, run: () => chain().toggleBlockquote().run() },
      { label: text('codeBlock'), icon: <Code2 size={16} />, active: state.block, run: () => chain().toggleCodeBlock().run() },
      { label: text('table'), icon: <Table2 size={16} />, run: () => chain().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run() },
      { label: text('line'), icon: <Minus size={16} />, run: () => chain().setHorizontalRule().run() },
    ],
  ];
  return (
    <div role="toolbar" aria-label={text('format')} className="scroll-thin flex shrink-0 items-center gap-0.5 overflow-x-auto border-b border-line px-3 py-1">
      {groups.map((group, index) => (
        <div key={index} className="flex items-center gap-0.5 border-line not-first:ml-1 not-first:border-l not-first:pl-1">
          {group.map((tool) => (
            <IconButton key={tool.label} label={tool.label} aria-pressed={tool.active} disabled={tool.disabled} onMouseDown={(event) => event.preventDefault()} onClick={tool.run}>
              {tool.icon}
            </IconButton>
          ))}
        </div>
      ))}
    </div>
  );
}

async function setLink(editor: Editor, text: Text): Promise<void> {
  const current = (editor.getAttributes('link')['href'] as string | undefined) ?? '';
  if (current !== '') {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    return;
  }
  const href = await askText({ title: text('link'), label: text('address'), initial: 'https://', action: text('add') });
  if (href === undefined || !/^(https?:\/\/|mailto:)/i.test(href)) return;
  if (editor.state.selection.empty) editor.chain().focus().insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
  else editor.chain().focus().setLink({ href }).run();
}
