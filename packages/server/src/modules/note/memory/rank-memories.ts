import { TextMatcher, type Match } from '@sheaf/search/query/text-matcher';
import { mapYielding } from '../../../lib/event-loop.ts';
import type { Memory } from '../../../ports/memory-store.ts';

/**
 * Number of memories (facts that agents stored) that are compared with the question before yielding to the event loop.
 * This takes a few milliseconds.
 */
const memoriesAtOnce = 50;
/** Weight of a match with only a part of a query word, such as one character of a Chinese word. */
const minorWeight = 0.3;
/** Weight of a word in the subject of a memory (a fact that an agent stored); a word in its text has weight 1. */
const aboutWeight = 2;

/**
 * Returns the memories (facts that agents stored) that share words with the question, best first. Memories with equal
 * scores keep their order, newest first. Words that occur in few memories have a higher weight.
 */
export async function rankMemories(memories: readonly Memory[], question: string): Promise<Memory[]> {
  const matcher = new TextMatcher(question);
  const found = await mapYielding(memories, memoriesAtOnce, (memory) => {
    const weights = new Map<number, number>();
    const weigh =
      (weight: number) =>
      ({ term }: Match): boolean => {
        weights.set(term, weight);
        return false;
      };
    matcher.find(memory.text, weigh(1));
    matcher.find(memory.about, weigh(aboutWeight));
    return { memory, weights };
  });
  const holders = matcher.terms.map((_, term) => found.filter(({ weights }) => weights.has(term)).length);
  return found
    .map(({ memory, weights }) => ({
      memory,
      score: [...weights].reduce(
        (sum, [term, weight]) =>
          sum + weight * Math.log(1 + memories.length / holders[term]!) * (matcher.isMinor(term) ? minorWeight : 1),
        0,
      ),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ memory }) => memory);
}
