import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { locateSuggestedChanges } from '@sheaf/markdown/suggested-changes';
import { queryClient, sheaf } from '../../lib/api-client.ts';

/**
 * A suggestion as the server's operation `list_suggestions` returns it: one or more changes that an author suggested
 * together.
 */
type Suggestion = Awaited<ReturnType<typeof sheaf.note.list_suggestions>>['suggestions'][number];

/**
 * A suggested change that nobody has accepted or refused yet. `at` is its position in the current text; undefined if
 * the text was changed at that position.
 */
export interface OpenChange {
  /** Identifies the change among all suggestions of the note. */
  readonly key: string;
  readonly suggestionId: string;
  readonly number: number;
  /** Id of the user who made the suggestion, or of the API key if an agent made it. It determines the color. */
  readonly who: string;
  readonly keyId: string;
  readonly userName: string;
  readonly time: number;
  readonly old: string;
  readonly insert: string;
  readonly at: number | undefined;
  readonly remove: number;
}

/** Polling interval in milliseconds, in case the event stream misses a suggestion. */
const pollMs = 15_000;

interface LoadedSuggestions {
  readonly suggestions: readonly Suggestion[];
  /** Texts on which the suggestions are based, by version number. */
  readonly bases: ReadonlyMap<number, string>;
}

/** Returns the query for the text of one version of a note. The text never changes, so it is loaded only once. */
const baseQuery = (id: string, version: number) => ({
  queryKey: ['note-version-text', id, version],
  queryFn: async () => (await sheaf.note.export_note({ note_id: id, version, format: 'markdown' })).content,
  staleTime: Infinity,
});

async function loadSuggestions(id: string): Promise<LoadedSuggestions> {
  const { suggestions } = await sheaf.note.list_suggestions({ note_id: id });
  const versions = [...new Set(suggestions.map((one) => one.base_version))];
  const texts = await Promise.all(versions.map((version) => queryClient.fetchQuery(baseQuery(id, version))));
  return { suggestions, bases: new Map(versions.map((version, index) => [version, texts[index]!])) };
}

export async function refreshSuggestions(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['note-suggestions', id] }),
    queryClient.invalidateQueries({ queryKey: ['note-version', id] }),
  ]);
}

/**
 * Returns the query for a note's suggestions, and a function that locates their open changes (neither accepted nor
 * rejected) in a text. The function is undefined until the suggestions are loaded.
 */
export function useSuggestions(id: string) {
  const found = useQuery({
    queryKey: ['note-suggestions', id],
    queryFn: () => loadSuggestions(id),
    refetchInterval: pollMs,
  });
  const { data } = found;
  const place = useMemo(() => data && ((text: string) => placeAll(data, text)), [data]);
  return { found, place };
}

function placeAll({ suggestions, bases }: LoadedSuggestions, text: string): readonly OpenChange[] {
  return suggestions.flatMap((suggestion) => {
    const base = bases.get(suggestion.base_version)!;
    const changes = suggestion.edits.map(({ number, position, old, new: insert, state }) => {
      return { number, at: position, remove: old.length, insert, state };
    });
    const places = locateSuggestedChanges(base, text, changes);
    return suggestion.edits.flatMap(({ number, old, new: insert, state }, index) =>
      state !== 'open'
        ? []
        : {
            key: `${suggestion.suggestion_id}.${number}`,
            suggestionId: suggestion.suggestion_id,
            number,
            who: suggestion.key_id.startsWith('session_') ? suggestion.user_id : suggestion.key_id,
            keyId: suggestion.key_id,
            userName: suggestion.user_name,
            time: suggestion.create_time,
            old,
            insert,
            at: places[index]!.at,
            remove: old.length,
          },
    );
  });
}
