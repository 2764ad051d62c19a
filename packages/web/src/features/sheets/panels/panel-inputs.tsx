import { ChevronRight, type LucideIcon } from 'lucide-react';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { useTranslation, type MessageKey } from '../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Checkbox, Field, Select, TextInput } from '../../../ui/form-fields.tsx';
import { rangeName, parseRange, type CellRange } from '../cell-geometry.ts';
import { useSheet } from '../sheet-session.ts';

/** A text field that saves on blur or Enter. It also shows changes by other users. */
export function CommitTextInput({
  value,
  onCommit,
  ...rest
}: {
  label: string;
  value: string;
  onCommit: (value: string) => void;
  type?: 'number';
  placeholder?: string;
}): ReactNode {
  const [typed, setTyped] = useLiveValue(value);
  const commit = (): void => {
    if (typed !== value) onCommit(typed);
  };
  return (
    <TextField
      {...rest}
      step="any"
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape' && typed !== value) {
          event.stopPropagation();
          setTyped(value);
        }
      }}
    />
  );
}

export function TextField({
  label,
  hint,
  error,
  onChange,
  ...rest
}: Omit<ComponentProps<typeof TextInput>, 'onChange'> & {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <TextInput {...ids} {...rest} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

export function LabeledSelect<Value extends string>({
  label,
  words,
  ...rest
}: {
  label: string;
  value: Value;
  words: Readonly<Record<Value, MessageKey>>;
  onChange: (value: Value) => void;
}): ReactNode {
  const text = useTranslation();
  const options = (Object.entries(words) as [Value, MessageKey][]).map(([one, key]) => [one, text(key)] as const);
  return <Field label={label}>{(ids) => <LiveSelect {...ids} {...rest} options={options} />}</Field>;
}

export function SmallIconButton({
  icon: Icon,
  ...rest
}: { icon: LucideIcon } & Omit<ComponentProps<typeof IconButton>, 'className' | 'children'>): ReactNode {
  return (
    <IconButton {...rest} className="size-7">
      <Icon size={14} />
    </IconButton>
  );
}

/** A checkbox that shows the user's choice at once and, after the write, the value in the sheet. */
export function LiveCheckbox({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}): ReactNode {
  const [chosen, setChosen] = useLiveValue(checked);
  return (
    <Checkbox
      label={label}
      checked={chosen}
      onChange={(event) => {
        setChosen(event.target.checked);
        onChange(event.target.checked);
      }}
    />
  );
}

/** A select field that shows the user's choice at once and, after the write, the value in the sheet. */
export function LiveSelect<Value extends string>({
  value,
  onChange,
  options,
  className,
  ...rest
}: {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly (readonly [value: Value, label: string])[];
} & Omit<ComponentProps<typeof Select>, 'value' | 'onChange' | 'children'>): ReactNode {
  const [chosen, setChosen] = useLiveValue(value);
  return (
    <Select
      {...rest}
      className={className ?? ''}
      value={chosen}
      onChange={(event) => {
        const next = event.target.value as Value;
        setChosen(next);
        onChange(next);
      }}
    >
      {options.map(([one, label]) => (
        <option key={one} value={one}>
          {label}
        </option>
      ))}
    </Select>
  );
}

function useLiveValue<Value>(told: Value): [Value, (value: Value) => void] {
  const [chosen, setChosen] = useState(told);
  useEffect(() => setChosen(told), [told]);
  return [chosen, setChosen];
}

/** An input for a range, with a button that inserts the current selection. */
export function RangeField({
  label,
  range,
  onCommit,
  disabled,
}: {
  label: string;
  range: CellRange | undefined;
  onCommit: (range: CellRange) => void;
  disabled?: boolean;
}): ReactNode {
  const { session, text } = useSheet();
  const value = range ? rangeName(range) : '';
  const [typed, setTyped] = useLiveValue(value);
  const [error, setError] = useState<string>();
  const commit = (given: string): void => {
    const { rows, cols } = session.tab;
    const found = parseRange(given, rows, cols);
    setError(found ? undefined : text('rangeUnclear'));
    if (found && rangeName(found) !== value) onCommit(found);
  };
  return (
    <Field label={label} error={error}>
      {(ids) => (
        <div className="flex gap-2">
          <TextInput
            {...ids}
            value={typed}
            disabled={disabled}
            placeholder="A1:C9"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => typed !== value && commit(typed)}
            onKeyDown={(event) => event.key === 'Enter' && commit(typed)}
          />
          <Button
            disabled={disabled}
            onClick={() => {
              const chosen = rangeName(session.selection.get().range);
              setTyped(chosen);
              commit(chosen);
            }}
          >
            {text('useSelection')}
          </Button>
        </div>
      )}
    </Field>
  );
}

export function CollapsibleSection({
  title,
  children,
  open = false,
}: {
  title: string;
  children: ReactNode;
  open?: boolean;
}): ReactNode {
  return (
    <details open={open} className="group border-t border-line pt-3">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight size={15} className="text-faint transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <div className="flex flex-col gap-3 pt-3 pb-1">{children}</div>
    </details>
  );
}

export function newObjectId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return `${prefix}_${Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('')}`;
}
