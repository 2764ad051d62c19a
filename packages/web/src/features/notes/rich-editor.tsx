import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react';
import { useNavigate } from '@tanstack/react-router';
import type { Slice } from '@tiptap/pm/model';
import { useEffect, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react';
import { useTranslation, type Translate } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { isLossless } from '@sheaf/markdown/lossless';
import { isCellTool, pasteIntoCell, flattenTableCells } from './table-cell-content.ts';
import { replayTypingBeforeLoad, updateEditorText } from './update-editor-text.ts';
import type { ChangeLabel } from './highlight-changes.ts';
import { editorExtensions, noteMarkdown } from './editor-extensions.ts';
import { FormatBar, blockTools, type FormatState, type FormatTool } from './format-bar.tsx';
import type { TypedText } from './new-note-draft.ts';
import { noteIdIn } from './note-link.tsx';
import type { PersonInNote } from './note-room.ts';
import type { InitialInteraction } from './note-text.tsx';
import { encodeCursor, showCursors } from './other-cursors.ts';
import { dropIntoEditor, insertImages, parseMarkdownSlice, pasteIntoEditor } from './paste-and-drop.ts';
import { uploadImages, pickImageFiles } from './image-upload.ts';
import { selectionInMarkdown, type MarkdownSelection } from './markdown-selection.ts';
import { CompletionMenu, type KeyHandler } from './completion-menu.tsx';
import { TableMenu } from './table-menu.tsx';
import { useWikiLinkDecorations } from './wiki-link-decorations.ts';
import { nodeAtOffset } from './text-offsets.ts';

export interface EditorHandle {
  /**
   * Replaces the text without reporting a change, because the new text comes from the server. Highlights new parts as
   * `mark` specifies. With `mayWait`, the rich editor returns false and changes nothing while the user is composing a
   * word with an input method. Otherwise returns true.
   */
  show(text: string, options?: { mark?: ChangeLabel | undefined; mayWait?: boolean }): boolean;
  showPeople?(people: readonly PersonInNote[]): void;
  /** Returns the selection, so that the Markdown source editor can restore it when it replaces this editor. */
  selection?(): MarkdownSelection | undefined;
  /**
   * Calls `draw` with the editor, to draw decorations over the text, such as suggestions. The editor for Markdown
   * source does not support this.
   */
  decorate?(draw: (editor: Editor) => void): void;
}

interface Props {
  initial: string;
  isNew: boolean;
  beginning: InitialInteraction;
  onChange: (markdown: string) => void;
  /** Called with the caret position in the format that is sent to other people. */
  onCursor: (cursor: string) => void;
  /** Called if the editor would lose part of the text. The parent then opens the note as Markdown source. */
  onUnfit: () => void;
  /**
   * Called when the editor is ready for input. Calling `take` inserts the text that the user typed while the editor was
   * loading.
   */
  onReady?: ((take: (typed: TypedText) => void) => void) | undefined;
  ref: Ref<EditorHandle>;
}

/**
 * The rich text editor for Markdown. It reports Markdown only after the user has typed, so that opening a note does not
 * change it.
 */
export function RichEditor({
  initial: given,
  isNew,
  beginning,
  onChange,
  onCursor,
  onUnfit,
  onReady,
  ref,
}: Props): ReactNode {
  const text = useTranslation();
  const [initial] = useState(given);
  const [content] = useState(() => noteMarkdown.parse(given));
  const made = useRef<Editor | null>(null);
  const isRetyping = useRef(false);
  const suggestKeys = useRef<KeyHandler>(undefined);
  const navigate = useNavigate();
  const toNote = useRef((_id: string): void => undefined);
  toNote.current = (id) => void navigate({ to: '/notes/$id', params: { id } });
  const adding = { adding: text('addingPicture') };
  const editor = useEditor({
    extensions: editorExtensions,
    content,
    // The Content Security Policy forbids injected styles, so styles.css contains the editor's rules.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    // The only paste rule turns pasted URLs into links. Markdown rules are not needed, because paste-and-drop.ts parses
    // pasted Markdown as a whole, and pasting with Shift inserts plain text.
    enablePasteRules: ['link'],
    editorProps: {
      attributes: {
        class: 'prose',
        'aria-label': text('noteText'),
        role: 'textbox',
        'aria-multiline': 'true',
        'data-focus-home': '',
      },
      handleClick: (_view, _position, event) => openLink(event, toNote.current),
      handleKeyDown: (_view, event) => suggestKeys.current?.(event) === true,
      transformPastedHTML: flattenTableCells,
      handlePaste: (view, event, slice) =>
        made.current !== null && (pasteIntoEditor(made.current, view, event, adding) || pasteIntoCell(view, slice)),
      handleDrop: (view, event, _slice, isMoved) =>
        !isMoved && made.current !== null && dropIntoEditor(made.current, view, event, adding),
      // Parse pasted text as Markdown. Text pasted with Shift (`isPlain`) stays plain: undefined makes the editor use
      // its default parser, although the type does not allow it.
      clipboardTextParser: (pasted, _context, isPlain) =>
        (isPlain || !made.current ? undefined : parseMarkdownSlice(made.current, pasted)) as unknown as Slice,
    },
    onUpdate: ({ editor: changed }) => isRetyping.current || onChange(markdownOf(changed)),
    onSelectionUpdate: ({ editor: changed }) => onCursor(encodeCursor(changed.state)),
  });
  made.current = editor;
  useWikiLinkDecorations(editor);
  useImperativeHandle(ref, () => ({
    show(markdown, { mark, mayWait = false } = {}) {
      if (!editor) return true;
      if (mayWait && editor.view.composing) return false;
      updateEditorText(editor, markdown, mark);
      if (!isLossless(markdown, markdownOf(editor))) onUnfit();
      return true;
    },
    showPeople: (people) => editor && showCursors(editor, people),
    selection: () => (editor ? selectionInMarkdown(editor.state) : undefined),
    decorate: (draw) => editor && !editor.isDestroyed && draw(editor),
  }));
  // Set up the editor in an effect, for two reasons: it can get the focus only when it is in the page, and React may
  // discard the first editor instance and create another.
  useEffect(() => {
    if (!editor || editor.isDestroyed) return;
    // Open the note as Markdown source if the editor would write other Markdown than it has read, because the next save
    // would store the difference.
    if (markdownOf(editor) !== initial) {
      onUnfit();
      return;
    }
    // A new note opens with its placeholder title selected, so that typing replaces the title and keeps the heading.
    if (isNew)
      editor
        .chain()
        .setTextSelection({ from: 1, to: (editor.state.doc.firstChild?.nodeSize ?? 2) - 1 })
        .focus()
        .run();
    else restoreInteraction(editor, beginning, text);
    onReady?.((typed) => {
      // Focus the view directly. The editor's focus command waits for the next frame, and a key press could arrive
      // earlier.
      editor.view.focus();
      isRetyping.current = true;
      replayTypingBeforeLoad(editor, typed);
      isRetyping.current = false;
      if (typed.text !== '') onChange(markdownOf(editor));
    });
  }, [editor]);
  if (!editor) return null;
  return (
    <div className="contents" data-focus-scope>
      <Toolbar editor={editor} />
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
        <EditorContent editor={editor} className="mx-auto max-w-3xl px-5 py-8 md:px-10" />
      </div>
      <CompletionMenu editor={editor} keys={suggestKeys} onTool={(tool) => runTool(editor, tool, text)} />
    </div>
  );
}

const markdownOf = (editor: Editor): string => noteMarkdown.serialize(editor.state.doc);

/**
 * Opens the clicked link and returns whether it was opened. A link to a note opens on a plain click. Other links open
 * only with Ctrl or Cmd, so that a plain click places the caret in their text.
 */
function openLink(event: MouseEvent, toNote: (id: string) => void): boolean {
  const link = (event.target as HTMLElement).closest('a');
  const note = link && !event.ctrlKey && !event.metaKey && !event.shiftKey ? noteIdIn(link.href) : undefined;
  if (note !== undefined) {
    event.preventDefault();
    toNote(note);
    return true;
  }
  if (!link || !(event.ctrlKey || event.metaKey) || !/^(https?|mailto):/.test(link.href)) return false;
  window.open(link.href, '_blank', 'noopener,noreferrer');
  return true;
}

function Toolbar({ editor }: { editor: Editor }): ReactNode {
  const text = useTranslation();
  const state = useEditorState({
    editor,
    selector: ({ editor: now }): FormatState => ({
      active: {
        bold: now.isActive('bold'),
        italic: now.isActive('italic'),
        strike: now.isActive('strike'),
        code: now.isActive('code'),
        link: now.isActive('link'),
        heading1: now.isActive('heading', { level: 1 }),
        heading2: now.isActive('heading', { level: 2 }),
        heading3: now.isActive('heading', { level: 3 }),
        bullets: now.isActive('bulletList'),
        numbers: now.isActive('orderedList'),
        tasks: now.isActive('taskList'),
        quote: now.isActive('blockquote'),
        codeBlock: now.isActive('codeBlock'),
      },
      disabled: { undo: !now.can().undo(), redo: !now.can().redo() },
    }),
  });
  const isInTable = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('table') });
  // Disable the tools for blocks that a table cell cannot hold.
  const disabled = isInTable ? Object.fromEntries(blockTools.map(([tool]) => [tool, true])) : {};
  return (
    <FormatBar
      state={{ ...state, disabled: { ...state.disabled, ...disabled } }}
      run={(tool) => runTool(editor, tool, text)}
      more={isInTable ? <TableMenu editor={editor} /> : undefined}
    />
  );
}

function runTool(editor: Editor, tool: FormatTool, text: Translate): void {
  if (editor.isActive('table') && !isCellTool(tool)) return;
  const chain = (): ReturnType<Editor['chain']> => editor.chain().focus();
  const runs: Record<FormatTool, () => unknown> = {
    undo: () => chain().undo().run(),
    redo: () => chain().redo().run(),
    heading1: () => chain().toggleHeading({ level: 1 }).run(),
    heading2: () => chain().toggleHeading({ level: 2 }).run(),
    heading3: () => chain().toggleHeading({ level: 3 }).run(),
    bold: () => chain().toggleBold().run(),
    italic: () => chain().toggleItalic().run(),
    strike: () => chain().toggleStrike().run(),
    code: () => chain().toggleCode().run(),
    link: () => void setLink(editor, text),
    bullets: () => chain().toggleBulletList().run(),
    numbers: () => chain().toggleOrderedList().run(),
    tasks: () => chain().toggleTaskList().run(),
    quote: () => chain().toggleBlockquote().run(),
    codeBlock: () => chain().toggleCodeBlock().run(),
    table: () => chain().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    picture: () => void pickImages(editor, text),
    line: () => chain().setHorizontalRule().run(),
  };
  runs[tool]();
}

/**
 * Applies the user's interaction with the read-only view to the editor: selection, focus, chosen tool and typed text.
 */
function restoreInteraction(
  editor: Editor,
  { hasFocus, place, tool, typed }: InitialInteraction,
  text: Translate,
): void {
  const positionOf = (letters: number): number | undefined => {
    const at = nodeAtOffset(editor.view.dom, letters);
    return at && editor.view.posAtDOM(at.node, at.offset);
  };
  const from = place && positionOf(place.anchor);
  const to = place && positionOf(place.head);
  if (from !== undefined && to !== undefined)
    editor.commands.setTextSelection({ from: Math.min(from, to), to: Math.max(from, to) });
  if (hasFocus) editor.commands.focus(place ? null : 'start', { scrollIntoView: false });
  if (typed() !== '') replayTypingBeforeLoad(editor, { text: typed(), from: Infinity, to: Infinity });
  if (tool) runTool(editor, tool, text);
}

async function pickImages(editor: Editor, text: Translate): Promise<void> {
  const files = await pickImageFiles();
  if (files.length === 0) return;
  await uploadImages(files, { adding: text('addingPicture') }, (pictures) => insertImages(editor, pictures));
}

async function setLink(editor: Editor, text: Translate): Promise<void> {
  const current = (editor.getAttributes('link')['href'] as string | undefined) ?? '';
  if (current !== '') {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    return;
  }
  const href = await promptText({
    title: text('link'),
    label: text('address'),
    initial: 'https://',
    action: text('add'),
  });
  if (href === undefined || !/^(https?:\/\/|mailto:)/i.test(href)) return;
  if (editor.state.selection.empty)
    editor
      .chain()
      .focus()
      .insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] })
      .run();
  else editor.chain().focus().setLink({ href }).run();
}
