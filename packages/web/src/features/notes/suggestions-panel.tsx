import { Check, PencilLine, X } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation, type Translate } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast, showToast } from '../../ui/toast.tsx';
import { useActorNames } from '../account/account-queries.ts';
import type { Autosave } from './autosave.ts';
import type { EditorHandle } from './rich-editor.tsx';
import { SuggestedChange } from './suggested-change.tsx';
import { scrollToSuggestion } from './suggestion-marks.ts';
import { useSettledText, useSuggestionMarks } from './suggestion-marks-hooks.ts';
import { refreshSuggestions, useSuggestions, type OpenChange } from './suggestions.ts';

interface SuggestionsPanelProps {
  id: string;
  save: Autosave;
  editor: RefObject<EditorHandle | null>;
  /** True if the panel lists the changes; false if it shows only their number and authors. */
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/**
 * Shows suggested changes in the note's text, and as a list in which each change is accepted or refused. When the panel
 * appears or a change is selected in the note, the focus stays in the note.
 */
export function SuggestionsPanel({ id, save, editor, isOpen, onToggle }: SuggestionsPanelProps): ReactNode {
  const text = useTranslation();
  const panel = useRef<HTMLElement>(null);
  const { found, place } = useSuggestions(id);
  const [active, setActive] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const actor = useActorNames();
  const by = ({ keyId, userName }: OpenChange): string => nameOf(keyId, userName, actor);
  const { text: markdown, count } = useSettledText(panel, save);
  const changes = useMemo(() => place?.(markdown) ?? [], [place, markdown]);
  useSuggestionMarks({
    panel,
    editor,
    place,
    active,
    label: (change) => text('suggestedBy', { name: by(change) }),
    names: namesOf(changes, by),
    settledCount: count,
    onChoose: (key) => {
      setActive(key);
      onToggle(true);
      // Only scroll the list; the focus stays in the note, where the user may be about to write.
      requestAnimationFrame(() => changeIn(panel.current, key)?.scrollIntoView({ block: 'nearest' }));
    },
  });
  const decide = (chosen: readonly OpenChange[], accept: boolean): void => {
    if (isBusy) return;
    setBusy(true);
    const next = nextAfter(changes, chosen);
    decideAll(id, save, chosen, { accept })
      .then((decided) => tellDecision(decided, { id, save, accept, text }))
      .catch(showErrorToast)
      .finally(() => {
        setBusy(false);
        setActive(undefined);
        void refreshSuggestions(id).then(() => focusAfter(panel.current, next));
      });
  };
  const acceptable = changes.filter(({ at }) => at !== undefined);
  if (!isOpen && changes.length === 0) return <section ref={panel} hidden />;
  return (
    <section
      ref={panel}
      aria-label={text('suggestions')}
      className="flex max-h-[45%] shrink-0 flex-col border-b border-line bg-panel text-sm"
      onKeyDown={(event) => event.key === 'Escape' && onToggle(false)}
    >
      <div className="flex flex-wrap items-center gap-1 py-1 pr-2 pl-4">
        <PencilLine size={15} className="text-accent" aria-hidden />
        <span role="status" className="min-w-0 flex-1">
          {changes.length > 0 && text('suggestionCount', { count: changes.length, names: namesOf(changes, by) })}
        </span>
        {changes.length > 0 && (
          <>
            <Button variant="quiet" className="h-8" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
              {text('reviewSuggestions')}
            </Button>
            <Button
              className="h-8"
              disabled={isBusy || acceptable.length === 0}
              onClick={() => decide(acceptable, true)}
            >
              <Check size={15} /> {text('acceptAll')}
            </Button>
            <Button variant="quiet" className="h-8" disabled={isBusy} onClick={() => decide(changes, false)}>
              <X size={15} /> {text('refuseAll')}
            </Button>
          </>
        )}
        {isOpen && (
          <IconButton label={text('close')} onClick={() => onToggle(false)}>
            <X size={16} />
          </IconButton>
        )}
      </div>
      {isOpen && (
        <div className="scroll-thin min-h-0 overflow-y-auto px-4 pb-3">
          {queryPlaceholder(found, <SkeletonLines count={2} />) ??
            (changes.length === 0 ? (
              <EmptyState icon={<PencilLine />} title={text('noSuggestions')}>
                {text('noSuggestionsHint')}
              </EmptyState>
            ) : (
              <ol aria-label={text('suggestions')} className="flex flex-col gap-2">
                {changes.map((change) => (
                  <SuggestedChange
                    key={change.key}
                    change={change}
                    by={by(change)}
                    isActive={change.key === active}
                    isBusy={isBusy}
                    onShow={() => {
                      setActive(change.key);
                      const pane = panel.current?.parentElement;
                      if (pane) scrollToSuggestion(pane, change.key);
                    }}
                    onDecide={(accept) => decide([change], accept)}
                  />
                ))}
              </ol>
            ))}
        </div>
      )}
    </section>
  );
}

/**
 * Returns the display name of a change's author. This is the name of the API key or app if the change was made with one
 * that belongs to the signed-in user. Otherwise it is the name of the user who made the change.
 */
function nameOf(keyId: string, userName: string, actor: (keyId: string) => string): string {
  const name = keyId === '' || keyId.startsWith('session_') ? userName : actor(keyId);
  return name === keyId ? userName : name;
}

function namesOf(changes: readonly OpenChange[], by: (change: OpenChange) => string): string {
  return [...new Set(changes.map(by))].slice(0, 3).join(', ');
}

/**
 * Returns the key of the change that gets the focus after the chosen changes are accepted or rejected: the next
 * remaining change, or else the previous one. Returns undefined if no change remains.
 */
function nextAfter(changes: readonly OpenChange[], chosen: readonly OpenChange[]): string | undefined {
  const last = changes.indexOf(chosen.at(-1)!);
  return [...changes.slice(last + 1), ...changes.slice(0, last).reverse()].find((one) => !chosen.includes(one))?.key;
}

function changeIn(panel: HTMLElement | null, key: string): HTMLElement | null | undefined {
  return panel?.querySelector<HTMLElement>(`[data-change="${CSS.escape(key)}"]`);
}

/**
 * Moves the focus from a change that was accepted or rejected to the change `next`; if `next` is undefined, to the
 * first button of the panel. Does nothing if the focus is outside the panel, because the user has continued elsewhere.
 */
function focusAfter(panel: HTMLElement | null, next: string | undefined): void {
  if (document.activeElement !== document.body && !panel?.contains(document.activeElement)) return;
  (next === undefined ? panel?.querySelector<HTMLElement>('button') : changeIn(panel, next))?.focus();
}

interface Decided {
  readonly suggestionId: string;
  readonly numbers: number[];
}

/**
 * Accepts or refuses changes, with one request per suggestion, and returns the changes for which the request succeeded.
 * Throws if a request fails before any has succeeded. Later failures are only shown to the user.
 */
async function decideAll(
  id: string,
  save: Autosave,
  changes: readonly OpenChange[],
  { accept }: { accept: boolean },
): Promise<Decided[]> {
  const ids = new Set(changes.map(({ suggestionId }) => suggestionId));
  const decided: Decided[] = [];
  const failures: unknown[] = [];
  // Save typed text first, because the server applies an accepted suggestion to the text that it has stored.
  await save.flush();
  for (const suggestionId of ids) {
    const numbers = changes.filter((one) => one.suggestionId === suggestionId).map(({ number }) => number);
    try {
      await save.restore(() =>
        sheaf.note.decide_suggestion({ note_id: id, suggestion_id: suggestionId, accept, numbers }),
      );
      decided.push({ suggestionId, numbers });
    } catch (error) {
      failures.push(error);
    }
  }
  if (decided.length === 0) throw failures[0];
  for (const error of failures) showErrorToast(error);
  return decided;
}

/**
 * Shows a notice with the number of changes that were accepted or rejected, and a button that undoes this decision.
 */
function tellDecision(
  decided: readonly Decided[],
  { id, save, accept, text }: { id: string; save: Autosave; accept: boolean; text: Translate },
): void {
  const count = decided.reduce((sum, { numbers }) => sum + numbers.length, 0);
  showToast(text(accept ? 'suggestionsAccepted' : 'suggestionsRefused', { count }), {
    label: text('undo'),
    run: async () => {
      await save.flush();
      for (const { suggestionId, numbers } of decided.toReversed())
        await save.restore(() =>
          sheaf.note.decide_suggestion({ note_id: id, suggestion_id: suggestionId, undo: true, numbers }),
        );
      await refreshSuggestions(id);
    },
  });
}
