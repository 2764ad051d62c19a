import { useId, type ComponentProps, type ReactNode } from 'react';

const box =
  'w-full rounded-lg border border-strong-line bg-raised px-3 text-[0.933rem] placeholder:text-faint disabled:opacity-60';

interface FieldTexts {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

export function Field({
  label,
  hint,
  error,
  children,
}: FieldTexts & {
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode;
}): ReactNode {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-soft">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': error !== undefined,
      })}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={`text-sm ${error === undefined ? 'text-faint' : 'text-danger'}`}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  );
}

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>): ReactNode {
  return <input type="text" {...rest} className={`${box} h-9 pointer-coarse:h-11 ${className}`} />;
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>): ReactNode {
  return <textarea {...rest} className={`${box} py-2 ${className}`} />;
}

export function Select({ className = '', ...rest }: ComponentProps<'select'>): ReactNode {
  return <select {...rest} className={`own-select ${box} h-9 pointer-coarse:h-11 ${className}`} />;
}

export function Checkbox({ label, className = '', ...rest }: ComponentProps<'input'> & { label: string }): ReactNode {
  return (
    <label className={`flex items-center gap-2 text-[0.933rem] ${className}`}>
      <input type="checkbox" {...rest} className="size-4 accent-accent" />
      {label}
    </label>
  );
}

type WithFieldTexts<Props> = Omit<Props, 'onChange'> & FieldTexts & { onChange: (value: string) => void };

/** A labelled text input. `onChange` receives the text instead of the event. */
export function TextField({
  label,
  hint,
  error,
  onChange,
  ...rest
}: WithFieldTexts<ComponentProps<'input'>>): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <TextInput {...ids} {...rest} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

type Options<Value> = readonly (readonly [value: Value, label: string])[];

export function optionElements(options: Options<string | number>): ReactNode {
  return options.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** A labelled select. `options` are pairs of value and label. */
export function SelectField<Value extends string | number>({
  label,
  hint,
  value,
  options,
  onChange,
}: Omit<FieldTexts, 'error'> & {
  value: Value;
  options: Options<Value>;
  onChange: (value: Value) => void;
}): ReactNode {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <Select
          {...ids}
          value={value}
          onChange={(event) => onChange(options.find(([each]) => String(each) === event.target.value)![0])}
        >
          {optionElements(options)}
        </Select>
      )}
    </Field>
  );
}

interface ViewSwitchProps<Value> {
  label: string;
  value: Value;
  options: Options<Value>;
  onChange: (value: Value) => void;
  className?: string;
}

/** A group of buttons that switches between views of the same content. */
export function ViewSwitch<Value extends string>(props: ViewSwitchProps<Value>): ReactNode {
  const { label, value, options, onChange, className = 'flex' } = props;
  return (
    <div role="group" aria-label={label} className={`rounded-lg border border-line p-0.5 text-sm ${className}`}>
      {options.map(([each, name]) => (
        <button
          key={each}
          type="button"
          aria-pressed={value === each}
          onClick={() => onChange(each)}
          className="rounded-md px-2.5 py-0.5 text-soft aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
        >
          {name}
        </button>
      ))}
    </div>
  );
}
