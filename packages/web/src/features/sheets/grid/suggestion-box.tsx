import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useStore } from '../../../ui/store.ts';
import type { ParameterHint } from './formula-completion.ts';
import type { EditController } from './edit-controller.ts';

/** Shows function suggestions, or the parameters of the function at the caret. */
export function SuggestionBox({ typing }: { typing: EditController }): ReactNode {
  const text = useTranslation();
  const { completion } = typing;
  const suggestions = useStore(completion.suggestions);
  const hint = useStore(completion.hint);
  if (!suggestions && !hint) return null;
  return (
    <div
      className={
        'pointer-events-auto absolute top-full left-0 z-30 mt-1 w-max max-w-[min(30rem,80vw)] min-w-56 ' +
        'overflow-hidden rounded-lg border border-line bg-raised text-[0.867rem] shadow-float'
      }
    >
      {suggestions ? (
        <ul role="listbox" aria-label={text('functions')} className="p-1">
          {suggestions.items.map((one, index) => (
            <li
              key={one.name}
              role="option"
              aria-selected={index === suggestions.chosen}
              className="flex cursor-pointer items-baseline gap-3 rounded-md px-2 py-1 aria-selected:bg-accent-soft"
              onPointerDown={(event) => {
                event.preventDefault();
                completion.choose(index);
                const edit = typing.grid.editing.state.get();
                const taken = edit && completion.take(edit.text);
                if (taken) typing.change(taken.text, [taken.caret, taken.caret]);
                typing.takeFocus();
              }}
            >
              <span className="font-medium">{one.name}</span>
              <span className="truncate text-xs text-faint">{one.arguments}</span>
            </li>
          ))}
        </ul>
      ) : (
        hint && <Signature hint={hint} />
      )}
    </div>
  );
}

function Signature({ hint }: { hint: ParameterHint }): ReactNode {
  const parts = hint.info.arguments === '' ? [] : hint.info.arguments.split(', ');
  const repeats = parts.indexOf('...');
  // An ellipsis in the parameter list means that the previous parameter repeats, so further arguments belong to it.
  const at =
    repeats >= 0 && hint.argument >= repeats ? Math.max(0, repeats - 1) : Math.min(hint.argument, parts.length - 1);
  return (
    <p role="note" className="px-3 py-1.5">
      <span className="font-medium">{hint.info.name}</span>(
      {parts.map((part, index) => (
        <span key={index}>
          {index > 0 && ', '}
          <span className={index === at ? 'rounded bg-accent-soft px-0.5 font-medium text-accent' : 'text-soft'}>
            {part}
          </span>
        </span>
      ))}
      )
    </p>
  );
}
