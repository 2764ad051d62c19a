import type { ReactNode } from 'react';
import { useText, type TextKey } from '../../text/use-text.ts';
import { Field, Select } from '../../ui/field.tsx';

/** A select field whose options have translated labels. */
export function Choice<Value extends string>({
  label,
  value,
  words,
  onChange,
}: {
  label: string;
  value: Value;
  words: Readonly<Record<Value, TextKey>>;
  onChange: (value: Value) => void;
}): ReactNode {
  const text = useText();
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {(Object.entries(words) as [Value, TextKey][]).map(([one, key]) => (
            <option key={one} value={one}>
              {text(key)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
