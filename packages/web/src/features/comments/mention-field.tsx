import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/form-fields.tsx';
import { showErrorToast } from '../../ui/toast.tsx';

/** Matches an incomplete mention, such as `@an`, directly before the caret. */
const begun = /(?<![A-Za-z0-9._-])@([\p{L}\p{N}._-]{0,64})$/u;
const maxPeople = 6;

interface MentionFieldProps {
  /** The commented object. Only users who can read it are offered for a mention. */
  about: { kind: 'note' | 'sheet'; id: string };
  label: string;
  action: string;
  initial?: string;
  takesFocus?: boolean;
  onSend: (said: string) => Promise<void>;
  onCancel?: () => void;
}

/**
 * Text field for a comment. `@` lists the users who can read the object. Ctrl+Enter sends the comment, Escape cancels
 * it.
 */
export function MentionField({
  about,
  label,
  action,
  initial = '',
  takesFocus = false,
  onSend,
  onCancel,
}: MentionFieldProps): ReactNode {
  const text = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [said, setSaid] = useState(initial);
  const [isSending, setSending] = useState(false);
  const [wanted, setWanted] = useState<string>();
  const [chosen, setChosen] = useState(0);
  const people = useQuery({
    queryKey: ['people', about.kind, about.id, wanted ?? ''],
    queryFn: async () => (await sheaf.sharing.list_people({ ...about, name: wanted ?? '', limit: maxPeople })).people,
    enabled: wanted !== undefined,
    staleTime: 30_000,
  });
  const offered = wanted === undefined ? [] : (people.data ?? []);
  const look = (area: HTMLTextAreaElement): void => {
    setWanted(begun.exec(area.value.slice(0, area.selectionStart))?.[1]);
    setChosen(0);
  };
  const complete = (name: string): void => {
    const area = field.current;
    if (!area || wanted === undefined) return;
    const from = area.selectionStart - wanted.length;
    const rest = said.slice(area.selectionStart);
    setSaid(`${said.slice(0, from)}${name} ${rest}`);
    setWanted(undefined);
    requestAnimationFrame(() => area.setSelectionRange(from + name.length + 1, from + name.length + 1));
    area.focus();
  };
  const send = (): void => {
    if (said.trim() === '' || isSending) return;
    setSending(true);
    onSend(said.trim())
      // Clear the field only after the server has saved the comment.
      .then(() => setSaid(''), showErrorToast)
      .finally(() => setSending(false));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (offered.length > 0) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) setChosen((chosen + step + offered.length) % offered.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.ctrlKey && !event.metaKey)
        complete(offered[chosen]!.name);
      else if (event.key === 'Escape') setWanted(undefined);
      else return;
      event.preventDefault();
      return;
    }
    if (event.key === 'Escape') onCancel?.();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      className="relative flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        ref={field}
        rows={2}
        aria-label={label}
        placeholder={label}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? `${listId}-${chosen}` : undefined}
        value={said}
        maxLength={8000}
        autoFocus={takesFocus}
        onChange={(event) => {
          setSaid(event.target.value);
          look(event.target);
        }}
        onBlur={() => setWanted(undefined)}
        onKeyDown={onKeyDown}
      />
      <ul
        id={listId}
        role="listbox"
        aria-label={text('peopleToMention')}
        hidden={offered.length === 0}
        className="rounded-lg border border-line bg-raised py-1 text-sm shadow-float"
      >
        {offered.map(({ user_id: userId, name }, index) => (
          <li
            key={userId}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={`cursor-pointer px-3 py-1 ${index === chosen ? 'bg-accent-soft text-accent' : ''}`}
            // Prevent the click from moving the focus away from the text field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => complete(name)}
          >
            @{name}
          </li>
        ))}
      </ul>
      {(said !== '' || takesFocus) && (
        <div className="flex gap-1.5">
          <Button variant="primary" type="submit" className="h-7 text-sm" disabled={said.trim() === '' || isSending}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="quiet" className="h-7 text-sm" onClick={onCancel}>
              {text('cancel')}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
