import { useImperativeHandle, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { mapCaret } from './map-position.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { imageFilesIn } from './image-files.ts';
import type { MarkdownSelection } from './markdown-selection.ts';
import type { EditorHandle } from './rich-editor.tsx';

interface SourceEditorProps {
  initial: string;
  /**
   * Selection to restore, taken from the rich editor that this editor replaces. Undefined if the user was not typing in
   * the rich editor.
   */
  selection?: MarkdownSelection | undefined;
  onChange: (text: string) => void;
  ref: Ref<EditorHandle>;
}

export function SourceEditor({ initial, selection, onChange, ref }: SourceEditorProps): ReactNode {
  const text = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const [value, setValue] = useState(initial);
  useImperativeHandle(ref, () => ({
    show(next) {
      const element = field.current;
      if (element) {
        const { value: before, selectionStart: from, selectionEnd: to } = element;
        // Change the element at once, because a key pressed before the next render would otherwise edit the old text.
        element.value = next;
        element.setSelectionRange(mapCaret(before, next, from), mapCaret(before, next, to));
      }
      setValue(next);
      return true;
    },
  }));
  useLayoutEffect(() => {
    if (!selection) return;
    const { markdown, from, to } = selection;
    field.current?.setSelectionRange(mapCaret(markdown, initial, from), mapCaret(markdown, initial, to));
  }, []);
  const change = (next: string): void => {
    setValue(next);
    onChange(next);
  };
  const upload = async (files: readonly File[]): Promise<void> => {
    const { uploadImages } = await import('./image-upload.ts');
    await uploadImages(files, { adding: text('addingPicture') }, (pictures) => {
      const element = field.current;
      if (!element) return;
      const written = pictures.map(({ src, alt }) => `![${alt}](${src})`).join('\n\n');
      const { value: before, selectionStart: from, selectionEnd: to } = element;
      change(before.slice(0, from) + written + before.slice(to));
    });
  };
  /**
   * Uploads the images in pasted or dropped data and inserts them at the caret. Returns false, and does nothing, if the
   * data contains text or no images.
   */
  const take = (data: DataTransfer | null): boolean => {
    const files = data && data.getData('text/plain') === '' ? imageFilesIn(data) : [];
    if (files.length === 0) return false;
    upload(files).catch(showErrorToast);
    return true;
  };
  return (
    <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
      <textarea
        ref={field}
        aria-label={text('noteText')}
        value={value}
        autoFocus={selection !== undefined}
        spellCheck={false}
        onChange={(event) => change(event.target.value)}
        onPaste={(event) => take(event.clipboardData) && event.preventDefault()}
        onDrop={(event) => take(event.dataTransfer) && event.preventDefault()}
        className={
          'mx-auto block min-h-full w-full max-w-3xl resize-none [field-sizing:content] bg-transparent px-5 ' +
          'py-8 font-mono text-[0.9rem] leading-relaxed outline-none md:px-10'
        }
      />
    </div>
  );
}
