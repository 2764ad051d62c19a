import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';

/**
 * A color field that reports only the color that the user finally chooses, not the colors passed over in the picker.
 */
export function CommitColorInput({
  value,
  onCommit,
  ...rest
}: {
  /** The color as `#rrggbb`, which is also the format that `onCommit` reports. */
  value: string;
  onCommit: (color: string) => void;
} & Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'>): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(value);
  useEffect(() => setShown(value), [value]);
  const latest = useRef(onCommit);
  latest.current = onCommit;
  // React's onChange reports each passing color. Only the browser's own `change` event waits for the choice.
  useEffect(() => {
    const field = input.current!;
    const commit = (): void => latest.current(field.value);
    field.addEventListener('change', commit);
    return () => field.removeEventListener('change', commit);
  }, []);
  return <input {...rest} ref={input} type="color" value={shown} onChange={(event) => setShown(event.target.value)} />;
}
