import { mcpTool, toolName, type JsonSchema } from '../../../kernel/describe-operation.ts';
import type { OperationEntry } from '../../../kernel/module.ts';
import { writeRequestConcepts, readRequestConcepts } from './concepts.ts';
import { holdersOfTerms, phrasesOf } from './phrases.ts';
import { conceptPrefix, termsOf, type Terms } from './terms.ts';

/**
 * Weights of a term of the request, by the part of a tool in which the term occurs. `phrases` are example requests for
 * the tool.
 */
const weights = { name: 1.6, firstSentence: 0.6, description: 0.2, phrases: 1 };
/**
 * Weights by kind of term. A concept counts most, because it stands for many words, and a single Chinese character
 * counts least, because it occurs in many words.
 */
const kinds = { concept: 2, character: 0.4, word: 1 };
/**
 * Parameters of the BM25 formula, by which a term weighs more if more phrases (example requests) of a tool contain it.
 * The number of the tool's phrases is the document length.
 */
const repetition = { saturation: 2, lengthShare: 0.5, usualLength: 9 };
/**
 * Weights in the score of a phrase (example request of a tool); only the best phrase of a tool counts. Both weights are
 * multiplied by a power of the share of the phrase's terms that the user's request contains: `part` by a low power,
 * `whole` by a high one, so that `whole` has an effect only if nearly all of the terms match.
 */
const bestPhrase = { part: 0.8, whole: 0.4 };
/**
 * A concept is central to a tool if at least the share `share` of the tool's phrases (example requests) contains it.
 * The tool's score is multiplied by `missing` for each central concept that is not in the request.
 */
const central = { share: 0.5, missing: 0.85 };
/**
 * Score factors for tools that do not fit the request. `looks`: the tool reads, but a change is requested. `changes`:
 * the reverse. `unasked`: the tool's name has a concept such as delete or list, which the request does not mention.
 */
const unfit = { looks: 0.8, changes: 0.85, unasked: 0.85 };

interface IndexedTool {
  readonly weights: ReadonlyMap<string, number>;
  readonly phrases: readonly Terms[];
  readonly central: readonly string[];
  /**
   * Concepts in the tool's name such as delete, end or list. If the request lacks one of them, the score of the tool is
   * reduced, because such a tool is rarely meant.
   */
  readonly taking: readonly string[];
  readonly looks: boolean;
}

const concepts = (names: readonly string[]): string[] => names.map((name) => conceptPrefix + name);
const taking = concepts(['delete', 'end', 'list', 'clear', 'leave', 'retry']);
const looking = concepts(readRequestConcepts);
const changing = concepts(writeRequestConcepts);

export function firstSentence(text: string): string {
  return /^[^\n]*?[.](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0]!;
}

function indexTool(entry: OperationEntry): IndexedTool {
  const { operation, module } = entry;
  const fields = Object.keys((mcpTool(entry)['inputSchema'] as JsonSchema).properties ?? {});
  const description = operation.summary.split('\nExample')[0]!;
  const name = termsOf(operation.name.replaceAll('_', ' '));
  const phrases = phrasesOf(toolName(entry));
  const found = new Map<string, number>();
  const add = (term: string, weight: number): void => void found.set(term, Math.max(found.get(term) ?? 0, weight));
  for (const term of termsOf([module.name, module.title, description, ...fields].join(' ').replaceAll('_', ' ')))
    add(term, weights.description);
  for (const term of termsOf(firstSentence(description))) add(term, weights.firstSentence);
  const counts = new Map<string, number>();
  for (const phrase of phrases) for (const term of phrase) counts.set(term, (counts.get(term) ?? 0) + 1);
  const { saturation, lengthShare, usualLength } = repetition;
  const limit = saturation * (1 - lengthShare + (lengthShare * phrases.length) / usualLength);
  for (const [term, count] of counts) add(term, (weights.phrases * count * (1 + saturation)) / (count + limit));
  for (const term of name) add(term, weights.name);
  const isCentral = (term: string): boolean =>
    term.startsWith(conceptPrefix) && (counts.get(term) ?? 0) >= central.share * phrases.length;
  return {
    weights: found,
    phrases,
    central: [...counts.keys()].filter(isCentral),
    taking: taking.filter((term) => name.has(term)),
    looks: operation.effect === 'read',
  };
}

const indexed = new WeakMap<OperationEntry, IndexedTool>();

function indexOf(entry: OperationEntry): IndexedTool {
  let tool = indexed.get(entry);
  if (!tool) indexed.set(entry, (tool = indexTool(entry)));
  return tool;
}

/**
 * Approximate number of tools, used as the number of documents in the BM25 formula. The more tools there are, the more
 * a rare term weighs compared with a frequent one.
 */
const usualTools = 230;
const character = /^\p{Script=Han}$/u;

/**
 * Assumed number of tools with a term that occurs only in names or descriptions of tools, not in example requests
 * (phrases).
 */
const usualHolders = 3;

const rarities = new Map<string, number>();

/**
 * Returns the weight of a term in the comparison of a request with the tools. It is higher if fewer tools have the term
 * in their example requests (phrases).
 */
function rarity(term: string): number {
  let known = rarities.get(term);
  if (known === undefined) {
    const holders = holdersOfTerms().get(term) ?? usualHolders;
    const kind = term.startsWith(conceptPrefix) ? 'concept' : character.test(term) ? 'character' : 'word';
    known = kinds[kind] * Math.log(1 + usualTools / (holders + 0.5));
    rarities.set(term, known);
  }
  return known;
}

/**
 * Returns the tools that match the request, best first. A full tool name returns only that tool. A tool whose name
 * without the module equals the request comes first.
 */
export function rankTools(entries: readonly OperationEntry[], query: string): OperationEntry[] {
  const exact = entries.find((entry) => toolName(entry) === query.trim());
  if (exact) return [exact];
  const asked = termsOf(query);
  const named = query.trim().toLowerCase().replaceAll(/\s+/g, '_');
  const scoreFor = (entry: OperationEntry): number =>
    entry.operation.name === named ? Number.MAX_VALUE : scoreOf(indexOf(entry), asked);
  return entries
    .map((entry) => ({ entry, score: scoreFor(entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

function scoreOf(tool: IndexedTool, asked: Terms): number {
  let score = 0;
  for (const term of asked) {
    const weight = tool.weights.get(term);
    if (weight !== undefined) score += weight * rarity(term);
  }
  if (score === 0) return 0;
  score += Math.max(0, ...tool.phrases.map((phrase) => scoreOfPhrase(phrase, asked)));
  score *= central.missing ** tool.central.filter((term) => !asked.has(term)).length;
  if (tool.taking.some((term) => !asked.has(term))) score *= unfit.unasked;
  const looks = looking.some((term) => asked.has(term));
  const changes = changing.some((term) => asked.has(term));
  if (looks !== changes && looks !== tool.looks) score *= looks ? unfit.changes : unfit.looks;
  return score;
}

function scoreOfPhrase(phrase: Terms, asked: Terms): number {
  let shared = 0;
  let total = 0;
  for (const term of phrase) {
    const counts = rarity(term);
    total += counts;
    if (asked.has(term)) shared += counts;
  }
  if (shared === 0) return 0;
  const share = shared / total;
  return shared * (bestPhrase.part * share ** 0.5 + bestPhrase.whole * share ** 6);
}
