import type { ComponentProps, ReactNode } from 'react';

const variants = {
  primary: 'bg-accent text-accent-ink hover:opacity-90 px-3.5',
  plain: 'border border-strong-line bg-raised hover:bg-hover px-3',
  quiet: 'text-soft hover:bg-hover hover:text-ink px-2.5',
  danger: 'border border-danger text-danger hover:bg-danger-soft px-3',
} as const;

export type ButtonVariant = keyof typeof variants;

export function Button({
  variant = 'plain',
  className = '',
  ...rest
}: ComponentProps<'button'> & { variant?: ButtonVariant }): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      className={
        'inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-lg text-[0.933rem] font-medium ' +
        `whitespace-nowrap transition-colors disabled:opacity-50 ${variants[variant]} ${className}`
      }
    />
  );
}

/** A button with only an icon. The label is its accessible name and tooltip. */
export function IconButton({
  label,
  className = '',
  ...rest
}: ComponentProps<'button'> & { label: string }): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={
        'inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-soft transition-colors ' +
        'hover:bg-hover hover:text-ink disabled:opacity-40 aria-pressed:bg-accent-soft ' +
        `aria-pressed:text-accent pointer-coarse:size-10 ${className}`
      }
    />
  );
}
