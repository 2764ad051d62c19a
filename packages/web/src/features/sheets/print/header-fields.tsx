import { useRef, useState, type ReactNode } from 'react';
import { useTranslation, type MessageKey } from '../../../i18n/use-translation.ts';
import { TextInput } from '../../../ui/form-fields.tsx';
import {
  fromHeaderWords,
  headerSides,
  headerWords,
  joinHeader,
  splitHeader,
  toHeaderWords,
  type HeaderSide,
} from './header-words.ts';

const sideWords: Record<HeaderSide, MessageKey> = { L: 'side_left', C: 'alignCenter', R: 'side_right' };

/**
 * Form for a page header or footer. It has text fields for the left, center and right part, and buttons that add page
 * numbers, names and dates.
 */
export function HeaderFields({
  label,
  line,
  onChange,
}: {
  label: string;
  line: string;
  onChange: (line: string) => void;
}): ReactNode {
  const text = useTranslation();
  const parts = splitHeader(line);
  const [last, setLast] = useState<HeaderSide>('C');
  const fields = useRef<HTMLDivElement>(null);
  const set = (side: HeaderSide, words: string): void =>
    onChange(joinHeader({ ...parts, [side]: fromHeaderWords(words, parts[side], text) }));
  const add = (word: MessageKey): void => {
    const before = toHeaderWords(parts[last], text);
    set(last, `${before}${before === '' || before.endsWith(' ') ? '' : ' '}[${text(word)}]`);
    fields.current?.querySelector<HTMLElement>(`[data-side=${last}]`)?.focus();
  };
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-sm font-medium text-soft">{label}</legend>
      <div ref={fields} className="grid grid-cols-3 gap-1.5">
        {headerSides.map((side) => (
          <TextInput
            key={side}
            data-side={side}
            aria-label={`${label}, ${text(sideWords[side])}`}
            placeholder={text(sideWords[side])}
            value={toHeaderWords(parts[side], text)}
            onFocus={() => setLast(side)}
            onChange={(event) => set(side, event.target.value)}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-1">
        {headerWords.map(([code, word]) => (
          <button
            key={code}
            type="button"
            aria-label={`${label}: ${text('add')} ${text(word)}`}
            className="rounded-md border border-line px-2 py-0.5 text-xs text-soft hover:bg-hover hover:text-ink"
            onClick={() => add(word)}
          >
            {text(word)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
