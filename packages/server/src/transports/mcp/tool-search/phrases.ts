import { accountPhrases } from './phrases/account.ts';
import { inboxPhrases } from './phrases/inbox.ts';
import { managePhrases } from './phrases/manage.ts';
import { notePhrases } from './phrases/note.ts';
import { sharingPhrases } from './phrases/sharing.ts';
import { sheetPhrases } from './phrases/sheet.ts';
import { wikiPhrases } from './phrases/wiki.ts';
import { parsePhraseLines, termsOf, type Terms } from './terms.ts';

/**
 * Example requests for each tool, in English and Chinese: one tool per line, phrases between bars. A request need not
 * contain a phrase, because requests and phrases are compared by their words and concepts.
 */
const phrases: ReadonlyMap<string, readonly string[]> = new Map(
  [accountPhrases, inboxPhrases, managePhrases, notePhrases, sharingPhrases, sheetPhrases, wikiPhrases].flatMap(
    parsePhraseLines,
  ),
);

/**
 * Terms of the example requests (phrases) of each tool, by tool name. They are computed on first use, to keep the
 * server's start fast.
 */
let known: ReadonlyMap<string, readonly Terms[]> | undefined;

function termsOfPhrases(): ReadonlyMap<string, readonly Terms[]> {
  known ??= new Map([...phrases].map(([tool, own]) => [tool, own.map(termsOf)]));
  return known;
}

export function phrasesOf(tool: string): readonly Terms[] {
  return termsOfPhrases().get(tool) ?? [];
}

let holders: Map<string, number> | undefined;

/** Returns for each term (word, Chinese character or concept) the number of tools whose example requests contain it. */
export function holdersOfTerms(): ReadonlyMap<string, number> {
  if (holders) return holders;
  holders = new Map();
  for (const own of termsOfPhrases().values())
    for (const term of new Set(own.flatMap((phrase) => [...phrase]))) holders.set(term, (holders.get(term) ?? 0) + 1);
  return holders;
}
