import { accumulate, Gathered, weigh, type Answers, type Statistics } from './accumulate.ts';
import { collectionOf, stretchesOf, type FetchParts, type OpenSegment } from './open-segment.ts';
import type { FieldWeights, Frequencies } from './postings.ts';
import type { Unit } from './query.ts';
import { UnitReader, type UnitCounts } from './unit-reader.ts';

/** Words that are looked for in the same fields. */
export interface Clause {
  /** What has only some of the words is no answer. */
  isStrict: boolean;
  units: readonly Unit[];
  weights: FieldWeights;
}

export interface Question {
  owners: ReadonlySet<string>;
  /** The first ranks; each word of the others must be there. */
  clauses: readonly Clause[];
}

/** So long one question keeps the thread before others get a turn. */
const turnMs = 4;

export async function evaluate(
  question: Question,
  segments: readonly OpenSegment[],
  read: FetchParts,
  given?: Statistics,
): Promise<Answers> {
  const stretches = segments.map((segment) => stretchesOf(segment.columns, question.owners));
  const words = new UnitReader(segments, stretches, read);
  await words.prepare(question.clauses.flatMap((clause) => clause.units));
  const [ranking, ...filters] = question.clauses;
  const counts: UnitCounts[][] = [];
  let since = performance.now();
  const breathe = async (): Promise<void> => {
    if (performance.now() - since < turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  for (const unit of ranking?.units ?? []) {
    counts.push(await words.counts(unit, ranking!.weights));
    await breathe();
  }
  const required: Frequencies[][] = [];
  for (const filter of filters)
    for (const unit of filter.units) {
      required.push((await words.counts(unit, filter.weights)).map((one) => one.all));
      await breathe();
    }
  const statistics = given ?? {
    ...collectionOf(segments, stretches),
    having: counts.map((one) => one.reduce((sum, { all }) => sum + all.length, 0)),
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
      counts.map((one) => one[at]!),
      required.map((one) => one[at]!),
    );
    await breathe();
  }
  return answers.done(weighed.least, ranking?.isStrict === true);
}
