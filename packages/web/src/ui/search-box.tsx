import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from './button.tsx';

interface SearchBoxProps {
  value: string;
  label: string;
  maxLength: number;
  /** Receives the trimmed text after a pause in typing; undefined if the field is empty. */
  onSearch: (query: string | undefined) => void;
  pauseMs?: number;
  /** True for the main field of a page. It is larger and gets the focus when the page opens. */
  isMain?: boolean;
}

export function SearchBox({ value, label, maxLength, onSearch, pauseMs = 200, isMain }: SearchBoxProps): ReactNode {
  const text = useTranslation();
  const [typed, setTyped] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  // Replace the typed text only if `value` was set from outside. A value that this field reported is already displayed.
  const reported = useRef(value);
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === value) return undefined;
    const timer = setTimeout(() => {
      reported.current = wanted;
      latest.current(wanted === '' ? undefined : wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, value, pauseMs]);
  useEffect(() => {
    if (isMain) field.current?.focus();
  }, [isMain]);
  return (
    <div className="relative flex items-center">
      <Search
        size={isMain ? 17 : 15}
        className={`pointer-events-none absolute text-faint ${isMain ? 'left-3.5' : 'left-2.5'}`}
      />
      <input
        ref={field}
        type="search"
        value={typed}
        maxLength={maxLength}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={label}
        aria-label={label}
        className={
          'w-full border bg-raised placeholder:text-faint [&::-webkit-search-cancel-button]:hidden ' +
          (isMain
            ? 'h-11 rounded-xl border-strong-line px-10 text-base'
            : 'h-9 rounded-lg border-line px-8 text-[0.933rem]')
        }
      />
      {typed !== '' && (
        <IconButton
          label={text('clear')}
          className={`absolute ${isMain ? 'right-1.5' : 'right-0.5'}`}
          onClick={() => setTyped('')}
        >
          <X size={isMain ? 16 : 15} />
        </IconButton>
      )}
    </div>
  );
}
