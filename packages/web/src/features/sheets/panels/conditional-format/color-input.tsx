import type { ReactNode } from 'react';

export function ColorInput({
  label,
  value,
  isBare = false,
  onChange,
}: {
  label: string;
  value: string;
  isBare?: boolean;
  onChange: (color: string) => void;
}): ReactNode {
  const input = (
    <input
      type="color"
      aria-label={label}
      className="h-8 w-12 cursor-pointer rounded-md border border-strong-line bg-raised"
      value={`#${value.slice(-6).toLowerCase()}`}
      onChange={(event) => onChange(event.target.value.slice(1).toUpperCase())}
    />
  );
  return isBare ? (
    input
  ) : (
    <label className="flex items-center gap-2 text-[0.933rem]">
      {input}
      {label}
    </label>
  );
}
