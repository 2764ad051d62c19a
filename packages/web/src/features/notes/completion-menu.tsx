import { useQuery } from '@tanstack/react-query';
import { useEditorState, type Editor } from '@tiptap/react';
import { NotebookPen, Plus, Sigma } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation, type Translate } from '../../i18n/use-translation.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { blockTools, type FormatTool } from './format-bar.tsx';
import { editFormula } from './math-extensions.ts';
import { createNote } from './note-ids.ts';
import { findNotesByTitle, type TitledNote } from './find-notes-by-title.ts';
import { completionTriggerAt, type CompletionTrigger } from './completion-trigger.ts';

export type KeyHandler = (event: KeyboardEvent) => boolean;

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: (at: CompletionTrigger) => void;
}

const maxNotes = 8;
/**
 * Number of search hits requested. It is larger than the number of suggested notes, because only hits whose title
 * matches are suggested.
 */
const maxSearched = 50;
const width = 256;
const lowest = 300;

interface CompletionMenuProps {
  editor: Editor;
  keys: RefObject<KeyHandler | undefined>;
  onTool: (tool: FormatTool) => void;
}

/**
 * Lists completions for the text before the caret: blocks after `/`, notes after `[[`. The editor keeps the focus and
 * forwards its keys: arrows select, Enter and Tab insert. Escape hides the list until the caret leaves this text.
 */
export function CompletionMenu({ editor, keys, onTool }: CompletionMenuProps): ReactNode {
  const text = useTranslation();
  const id = useId();
  const found = useEditorState({
    editor,
    selector: ({ editor: now }) => (now.isFocused ? completionTriggerAt(now.state) : undefined),
  });
  const [dismissed, setDismissed] = useState<number>();
  const [chosen, setChosen] = useState({ query: '', index: 0 });
  const list = useRef<HTMLUListElement>(null);
  const at = found && found.from !== dismissed ? found : undefined;
  const choices = useChoices(editor, at, onTool, text);
  const index = at && chosen.query === `${at.kind}${at.query}` ? Math.min(chosen.index, choices.length - 1) : 0;
  const isOpen = at !== undefined && choices.length > 0;

  keys.current = (event) => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : choices.length - 1;
      setChosen({ query: `${at.kind}${at.query}`, index: (index + step) % choices.length });
      return true;
    }
    if (event.key === 'Enter' || event.key === 'Tab') {
      choices[index]?.run(at);
      return true;
    }
    if (event.key !== 'Escape') return false;
    setDismissed(at.from);
    return true;
  };
  useEffect(() => {
    if (!found) setDismissed(undefined);
  }, [found]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const { dom } = editor.view;
    dom.setAttribute('aria-controls', id);
    dom.setAttribute('aria-activedescendant', `${id}-${index}`);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
    return () => {
      dom.removeAttribute('aria-controls');
      dom.removeAttribute('aria-activedescendant');
    };
  }, [editor, isOpen, id, index]);
  if (!isOpen) return null;
  const { left, bottom, top } = editor.view.coordsAtPos(at.from);
  const isAbove = bottom + lowest > innerHeight && top > lowest;
  return createPortal(
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label={text(at.kind === 'block' ? 'insertBlock' : 'linkNote')}
      className="rise scroll-thin fixed z-40 max-h-72 w-64 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float"
      style={{
        left: Math.max(8, Math.min(left, innerWidth - width - 8)),
        ...(isAbove ? { bottom: innerHeight - top + 4 } : { top: bottom + 4 }),
      }}
      // Prevent a click in the list from taking the focus and the caret from the editor.
      onMouseDown={(event) => event.preventDefault()}
    >
      {choices.map((choice, each) => (
        <li
          key={choice.key}
          id={`${id}-${each}`}
          role="option"
          aria-selected={each === index}
          onClick={() => choice.run(at)}
          onMouseMove={() => each !== index && setChosen({ query: `${at.kind}${at.query}`, index: each })}
          className="flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-[0.933rem] aria-selected:bg-hover"
        >
          <span className="flex w-5 shrink-0 justify-center text-faint">{choice.icon}</span>
          <span className="truncate">{choice.label}</span>
        </li>
      ))}
    </ul>,
    document.body,
  );
}

function useChoices(
  editor: Editor,
  at: CompletionTrigger | undefined,
  onTool: (tool: FormatTool) => void,
  text: Translate,
): readonly Choice[] {
  const query = at?.kind === 'note' ? at.query.trim() : undefined;
  const notes = useQuery({
    queryKey: ['note-links', query],
    queryFn: ({ signal }) => findNotes(query!, signal),
    enabled: query !== undefined,
    placeholderData: (previous) => previous,
    staleTime: 5000,
  });
  if (!at) return [];
  const link = (id: string, title: string) => (place: CompletionTrigger) => insertLink(editor, place, id, title);
  if (at.kind === 'block') {
    const wanted = at.query.toLowerCase();
    return [
      ...(editor.isActive('table') ? [] : blockTools).map(([tool, Icon]) => ({
        key: tool,
        label: text(tool),
        Icon,
        begin: () => onTool(tool),
      })),
      { key: 'math', label: text('mathFormula'), Icon: Sigma, begin: () => void editFormula(editor) },
    ]
      .filter(({ key, label }) => label.toLowerCase().includes(wanted) || key.toLowerCase().startsWith(wanted))
      .map(({ key, label, Icon, begin }) => ({
        key,
        label,
        icon: <Icon size={16} />,
        run: ({ from, to }) => {
          editor.chain().focus().deleteRange({ from, to }).run();
          begin();
        },
      }));
  }
  const titled = (notes.data ?? []).map(({ id, title }) => ({
    key: id,
    label: title === '' ? text('untitled') : title,
    icon: <NotebookPen size={16} />,
    run: link(id, title === '' ? text('untitled') : title),
  }));
  if (query === undefined || query === '') return titled;
  const make: Choice = {
    key: 'new',
    label: text('newNoteNamed', { name: query }),
    icon: <Plus size={16} />,
    run: (place) => {
      createNote(`# ${query}\n`, undefined)
        .then((id) => insertLink(editor, place, id, query))
        .catch(showErrorToast);
    },
  };
  const isThere = (notes.data ?? []).some(({ title }) => title.toLowerCase() === query.toLowerCase());
  return isThere ? titled : [...titled, make];
}

async function findNotes(query: string, signal: AbortSignal): Promise<TitledNote[]> {
  if (query === '') {
    const { note_book_list: latest } = await sheaf.note.list_note({ cursor: '', limit: maxNotes }, { signal });
    return latest.map(({ note_id: id, title }) => ({ id, title }));
  }
  const { info_list: found } = await sheaf.wiki.search_all(
    { query, prefix: true, kinds: ['note'], limit: maxSearched },
    { signal },
  );
  return findNotesByTitle(query, found).slice(0, maxNotes);
}

/**
 * Replaces the typed text, such as `[[Tit`, with a link to a note. The link contains the note's id, so that renaming
 * the note does not break it.
 */
function insertLink(editor: Editor, { from, to }: CompletionTrigger, id: string, title: string): void {
  if (editor.isDestroyed) return;
  editor
    .chain()
    .focus()
    .insertContentAt({ from, to }, [
      { type: 'text', text: title, marks: [{ type: 'link', attrs: { href: `/notes/${id}` } }] },
      { type: 'text', text: ' ' },
    ])
    .run();
}
