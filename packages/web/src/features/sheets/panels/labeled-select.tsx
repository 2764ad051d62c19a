import type { ReactNode } from 'react';
import { useTranslation, type MessageKey } from '../../../i18n/use-translation.ts';
import { Field, Select } from '../../../ui/form-fields.tsx';

/** A select field whose options have translated labels. */
export function LabeledSelect<Value extends string>({
  label,
  value,
  words,
  onChange,
}: {
  label: string;
  value: Value;
  words: Readonly<Record<Value, MessageKey>>;
  onChange: (value: Value) => void;
}): ReactNode {
  const text = useTranslation();
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {(Object.entries(words) as [Value, MessageKey][]).map(([one, key]) => (
            <option key={one} value={one}>
              {text(key)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
