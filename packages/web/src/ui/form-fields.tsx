import { useId, type ComponentProps, type ReactNode } from 'react';

const box =
  'w-full rounded-lg border border-strong-line bg-raised px-3 text-[0.933rem] placeholder:text-faint disabled:opacity-60';

export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
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
