import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Menu } from './menu.tsx';

interface Option<Value> {
  readonly value: Value;
  readonly label: string;
}

/**
 * A button that shows the selected option and opens a menu of all options. Used for filters and sort orders; forms use
 * Select instead.
 */
export function SelectMenu<Value extends string | number>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
}): ReactNode {
  const chosen = options.find((option) => option.value === value) ?? options[0];
  const isFirst = chosen === options[0];
  return (
    <Menu
      align="start"
      trigger={
        <Button
          aria-label={`${label}: ${chosen?.label ?? ''}`}
          className={`max-w-60 ${isFirst ? 'text-soft' : 'border-accent! bg-accent-soft! text-accent!'}`}
        >
          <span className="truncate">{isFirst ? label : chosen?.label}</span>
          <ChevronDown size={15} className="shrink-0 opacity-70" />
        </Button>
      }
      entries={options.map((option) => ({
        label: option.label,
        icon: option.value === chosen?.value ? <Check size={15} /> : undefined,
        run: () => onChange(option.value),
      }))}
    />
  );
}
