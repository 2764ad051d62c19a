import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { whenIdle } from '../../lib/when-idle.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { FormatBar, type FormatTool } from './format-bar.tsx';
import { renderMarkdown } from './render-markdown.tsx';
import type { TypedText } from './new-note-draft.ts';
import type { EditorHandle } from './rich-editor.tsx';
import { selectionOffsets, type TextOffsets } from './text-offsets.ts';
import { useLazyComponent, type LazyComponent } from '../../ui/lazy.tsx';

/** User interaction with the read-only text before the editor was loaded. The editor continues from this state. */
export interface InitialInteraction {
  readonly hasFocus: boolean;
  readonly place: TextOffsets | undefined;
  readonly tool: FormatTool | undefined;
  /** Returns the text typed while the editor was loading. Called when the editor is ready. */
  readonly typed: () => string;
}

/** Why a note opens as Markdown source instead of in the rich editor. */
export type FallbackReason = 'openedAsSource' | 'tooInvolved';

interface Props {
  readonly text: string;
  /** True for a new note, whose editor opens at once. */
  readonly isNew: boolean;
  readonly onChange: (markdown: string) => void;
  readonly onCursor: (cursor: string) => void;
  readonly onUnfit: (why?: FallbackReason) => void;
  readonly onReady?: ((take: (typed: TypedText) => void) => void) | undefined;
  readonly ref: Ref<EditorHandle>;
}

const noInteraction: InitialInteraction = { hasFocus: false, place: undefined, tool: undefined, typed: () => '' };

const load = async () => {
  // Load the source editor, too, because it may have to replace the rich editor while the user types.
  const [{ RichEditor }] = await Promise.all([import('./rich-editor.tsx'), import('./source-editor.tsx')]);
  return RichEditor;
};
const editor: LazyComponent<ComponentProps<Awaited<ReturnType<typeof load>>>> = { load };

/** Matches devices with a mouse and a wide screen. They are assumed to be fast enough to load the editor in advance. */
const hasMouse = matchMedia('(pointer: fine) and (min-width: 64rem)');

/**
 * Shows the text of a note, first in a fast read-only view. The much larger editor is loaded when the user clicks,
 * types or moves the keyboard focus into the text. On devices with a mouse and a wide screen it is loaded as soon as
 * the browser is idle.
 */
export function NoteText({ text: note, isNew, onChange, onCursor, onUnfit, onReady, ref }: Props): ReactNode {
  const text = useTranslation();
  const surface = useRef<HTMLDivElement>(null);
  const typed = useRef('');
  const isPressed = useRef(false);
  const begun = useRef<InitialInteraction>(undefined);
  const [beginning, setBeginning] = useState<InitialInteraction | undefined>(isNew ? noInteraction : undefined);
  const RichEditor = useLazyComponent(editor, { isDue: beginning !== undefined });
  const [before, setBefore] = useState<{ note: string; shown: ReactNode }>();
  // While the editor is loading, keep the read-only view as it is, even if the note's text changes. The editor will
  // show the current text.
  const shown = before && (beginning || before.note === note) ? before.shown : renderMarkdown(note);
  if (!before || (!beginning && before.note !== note)) setBefore({ note, shown });
  if (!beginning && shown === undefined) setBeginning(noInteraction);
  const wake = (hasFocus: boolean, tool?: FormatTool): void => {
    const place = surface.current ? selectionOffsets(surface.current) : undefined;
    setBeginning((before) => ({
      hasFocus: hasFocus || before?.hasFocus === true,
      place: place ?? before?.place,
      tool: tool ?? before?.tool,
      typed: () => typed.current,
    }));
  };
  useEffect(() => {
    if (beginning || !hasMouse.matches) return undefined;
    return whenIdle(() => wake(false));
  }, []);
  const setSurface = useCallback((element: HTMLDivElement | null) => {
    // React calls this with null just before it replaces the read-only text by the editor. Read the focus and selection
    // again, because the user may have clicked since `begun` was set.
    if (!element && surface.current && begun.current)
      Object.assign(begun.current, continueFrom(begun.current, surface.current));
    surface.current = element;
  }, []);
  const keep = (event: KeyboardEvent): void => {
    const isEnter = event.key === 'Enter';
    const isBack = event.key === 'Backspace' && typed.current !== '';
    if ((event.key.length !== 1 && !isEnter && !isBack) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    typed.current = isBack ? typed.current.replace(/.$/su, '') : typed.current + (isEnter ? '\n' : event.key);
    if (!beginning) wake(true);
  };
  const reading = (
    <>
      <FormatBar state={{ active: {}, disabled: { undo: true, redo: true } }} run={(tool) => wake(true, tool)} />
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl px-5 py-8 md:px-10">
          <div
            ref={setSurface}
            className="prose min-h-[50vh] whitespace-pre-wrap outline-none"
            role="textbox"
            aria-multiline
            aria-label={text('noteText')}
            aria-busy={beginning !== undefined}
            tabIndex={0}
            onPointerDown={() => {
              isPressed.current = true;
              void load().catch((error: unknown) => console.info('editor', error));
            }}
            // Keyboard focus opens the editor at once. Pointer focus does not, because the user may be selecting text
            // to copy. A click without selection opens the editor.
            onFocus={() => !isPressed.current && wake(true)}
            onClick={(event) =>
              !(event.target as HTMLElement).closest('a') && getSelection()?.isCollapsed !== false && wake(true)
            }
            onKeyDown={keep}
          >
            {shown}
          </div>
        </div>
      </div>
    </>
  );
  if (!beginning || !RichEditor) return reading;
  begun.current ??= surface.current ? continueFrom(beginning, surface.current) : { ...beginning };
  return (
    <RichEditor
      ref={ref}
      initial={note}
      isNew={isNew}
      beginning={begun.current}
      onChange={onChange}
      onCursor={onCursor}
      onUnfit={onUnfit}
      onReady={onReady}
    />
  );
}

/**
 * Returns a copy of `beginning` with the current focus and selection in the read-only text, which the user may have
 * changed while the editor was loading. Call it while the read-only text is still in the page.
 */
function continueFrom(beginning: InitialInteraction, surface: HTMLElement): InitialInteraction {
  return {
    ...beginning,
    hasFocus: beginning.hasFocus || surface.contains(document.activeElement),
    place: selectionOffsets(surface) ?? beginning.place,
  };
}
