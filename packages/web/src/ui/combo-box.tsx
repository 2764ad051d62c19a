import { useId, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { TextInput } from './form-fields.tsx';

interface Props extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly value: string;
  /** Suggestions. Any other text may also be entered. */
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

const maxShown = 50;

/** A text field that suggests the options that contain the typed text. */
export function ComboBox({ value, options, onChange, ...rest }: Props): ReactNode {
  const list = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const typed = value.trim().toLowerCase();
  const shown = options.filter((one) => one.toLowerCase().includes(typed) && one !== value).slice(0, maxShown);
  const isShown = isOpen && shown.length > 0;
  const choose = (option: string): void => {
    onChange(option);
    setOpen(false);
    setAt(-1);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      if (shown.length > 0) setAt((at + (event.key === 'ArrowDown' ? 1 : -1) + shown.length) % shown.length);
    } else if (event.key === 'Enter' && isShown && shown[at] !== undefined) {
      event.preventDefault();
      choose(shown[at]);
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className="relative" onBlur={() => setOpen(false)}>
      <TextInput
        {...rest}
        role="combobox"
        autoComplete="off"
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        {...(isShown && shown[at] !== undefined ? { 'aria-activedescendant': `${list}-${at}` } : {})}
        value={value}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          onChange(event.target.value);
          setOpen(true);
          setAt(-1);
        }}
        onKeyDown={key}
      />
      <ul
        id={list}
        role="listbox"
        hidden={!isShown}
        className="scroll-thin absolute top-full z-40 mt-1 max-h-60 w-full min-w-44 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float"
      >
        {shown.map((option, index) => (
          <li
            key={option}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            className="cursor-pointer truncate rounded-lg px-2.5 py-1.5 text-[0.933rem] hover:bg-hover aria-selected:bg-hover"
            // Prevent the click from moving the focus. The field's blur event would otherwise close the list before the
            // click is handled.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option}
          </li>
        ))}
      </ul>
    </div>
  );
}
