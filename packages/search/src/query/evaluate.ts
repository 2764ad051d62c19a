import { accumulate, weigh } from './accumulate.ts';
import { Gathered, type Answers, type Statistics } from './gathered.ts';
import type { KeptLists } from '../index/kept-lists.ts';
import { collectionOf, stretchesOf, type FetchParts, type OpenSegment, type Part } from '../index/open-segment.ts';
import type { Frequencies } from '../index/postings.ts';
import type { UnitWindow } from '../index/unit-list.ts';
import { UnitReader, type Wanted } from '../index/unit-reader.ts';

export interface Clause extends Wanted {
  /** If true, a document must contain every word to match. */
  isStrict: boolean;
}

export interface Question {
  owners: ReadonlySet<string>;
  /** The first clause determines the ranking; a document must contain every word of the other clauses. */
  clauses: readonly Clause[];
}

/** Maximum time a query may hold the thread before yielding. */
const turnMs = 4;

/** Lists the parts of these segments that a query reads, so that one fetch can load them all. */
export function partsFor({ owners, clauses }: Question, segments: readonly OpenSegment[], kept: KeptLists): Part[] {
  const stretches = segments.map((segment) => stretchesOf(segment.columns, owners));
  return [...new UnitReader(segments, stretches, noParts, kept).wanted(clauses).values()];
}

const noParts: FetchParts = () => Promise.resolve([]);

export async function evaluate(
  question: Question,
  segments: readonly OpenSegment[],
  read: FetchParts,
  kept: KeptLists,
  given?: Statistics,
): Promise<Answers> {
  const stretches = segments.map((segment) => stretchesOf(segment.columns, question.owners));
  const words = new UnitReader(segments, stretches, read, kept);
  await words.prepare(question.clauses);
  const [ranking, ...filters] = question.clauses;
  const windows: UnitWindow[][] = [];
  let since = performance.now();
  const breathe = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  const isLong = (): boolean => performance.now() - since >= turnMs;
  for (const unit of ranking?.units ?? []) {
    windows.push(words.windows(unit, ranking!.weights));
    if (isLong()) await breathe();
  }
  const required: Frequencies[][] = [];
  for (const filter of filters)
    for (const unit of filter.units) {
      required.push(words.windows(unit, filter.weights).map(frequenciesIn));
      if (isLong()) await breathe();
    }
  const statistics = given ?? {
    ...collectionOf(segments, stretches),
    having: windows.map((one) => one.reduce((sum, { live }) => sum + live, 0)),
  };
  const weighed = weigh(ranking?.units ?? [], statistics);
  const answers = new Gathered(statistics);
  for (const [at, segment] of segments.entries()) {
    if (stretches[at]!.length === 0) continue;
    accumulate(
      answers,
      at,
      segment,
      weighed,
      windows.map((one) => one[at]!),
      required.map((one) => one[at]!),
    );
    if (isLong()) await breathe();
  }
  return answers.done(weighed.least, ranking?.isStrict === true);
}

function frequenciesIn({ documents, counts, from, to }: UnitWindow): Frequencies {
  return { documents: documents.subarray(from, to), counts: counts.subarray(from, to), length: to - from };
}
