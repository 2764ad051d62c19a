import { useRef, useState, type ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { addPictures, picturesIn } from './picture-files.ts';

export function SourceEditor({ initial, onChange }: { initial: string; onChange: (text: string) => void }): ReactNode {
  const text = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [value, setValue] = useState(initial);
  const change = (next: string): void => {
    setValue(next);
    onChange(next);
  };
  /** Whether it has pictures: they go where the caret is when they are stored. */
  const take = (data: DataTransfer | null): boolean => {
    const files = data && data.getData('text/plain') === '' ? picturesIn(data) : [];
    if (files.length === 0) return false;
    void addPictures(files, { adding: text('addingPicture') }, (pictures) => {
      const element = field.current;
      if (!element) return;
      const written = pictures.map(({ src, alt }) => `![${alt}](${src})`).join('\n\n');
      const { value: before, selectionStart: from, selectionEnd: to } = element;
      change(before.slice(0, from) + written + before.slice(to));
    });
    return true;
  };
  return (
    <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
      <textarea
        ref={field}
        aria-label={text('noteText')}
        value={value}
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
