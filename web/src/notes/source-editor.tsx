import { useState, type ReactNode } from 'react';
import { useText } from '../text/use-text.ts';

export function SourceEditor({ initial, onChange }: { initial: string; onChange: (text: string) => void }): ReactNode {
  const text = useText();
  const [value, setValue] = useState(initial);
  return (
    <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
      <textarea
        aria-label={text('noteText')}
        value={value}
        spellCheck={false}
        onChange={(event) => {
          setValue(event.target.value);
          onChange(event.target.value);
        }}
        className={
          'mx-auto block min-h-full w-full max-w-3xl resize-none [field-sizing:content] bg-transparent px-5 ' +
          'py-8 font-mono text-[0.9rem] leading-relaxed outline-none md:px-10'
        }
      />
    </div>
  );
}
