import { useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { matchLines } from './three-way-merge.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { imageFilesIn } from './image-files.ts';
import type { EditorHandle } from './rich-editor.tsx';

interface SourceEditorProps {
  initial: string;
  /** True if the user was typing in the rich editor that this one replaces. */
  isFocused?: boolean;
  onChange: (text: string) => void;
  ref: Ref<EditorHandle>;
}

export function SourceEditor({ initial, isFocused = false, onChange, ref }: SourceEditorProps): ReactNode {
  const text = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const [value, setValue] = useState(initial);
  useImperativeHandle(ref, () => ({
    show(next) {
      const element = field.current;
      if (element) {
        const { value: before, selectionStart: from, selectionEnd: to } = element;
        // At once, because a key that is pressed before the next rendering would be typed into the former text.
        element.value = next;
        element.setSelectionRange(caretAfterChange(before, next, from), caretAfterChange(before, next, to));
      }
      setValue(next);
      return true;
    },
  }));
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
  /** Uploads the images in the data and inserts them at the caret. Returns false if there are none. */
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
        autoFocus={isFocused}
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

/**
 * Maps a caret offset in `before` to an offset in `after`: the same column of the matching line, or of the line with
 * the same number if none matches. Line and column are limited to those that `after` has.
 */
function caretAfterChange(before: string, after: string, place: number): number {
  const lines = after.split('\n');
  const lead = before.slice(0, place).split('\n');
  const line = lead.length - 1;
  const now = Math.min(matchLines(before.split('\n'), lines).get(line) ?? line, lines.length - 1);
  const start = lines.slice(0, now).reduce((sum, one) => sum + one.length + 1, 0);
  return start + Math.min(lead[line]!.length, lines[now]!.length);
}
