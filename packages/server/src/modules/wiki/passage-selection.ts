import { z } from 'zod';
import { rankPassages, type RankedPassage } from '@sheaf/search/passages/rank-passages';
import { buildOutline, splitPassages, type Outline } from '@sheaf/search/passages/split-passages';
import { estimateTokens } from '@sheaf/search/analysis/llm-token-estimate';
import { integer, list, text } from '../../kernel/field-schemas.ts';

export interface PassageText {
  body: string;
  headings: string;
  outline?: Outline | undefined;
  /** Part of the text that is semantically closest to the query. */
  near?: { from: number; to: number; score: number } | undefined;
}

export const passageFields = {
  text: text('The passage.'),
  headings: list('Headings it stands under, highest first.', text('A heading.')),
  page: text('Page, slide or sheet it begins on, if the file has any.').optional(),
  start: integer('Where it begins in the text, in UTF-16 code units; for get_knowledge_content.'),
  end: integer('Where it ends.'),
  score: z.number().meta({ description: 'How well it answers; comparable within one result only.' }),
};

export type PassageInfo = z.input<z.ZodObject<typeof passageFields>>;

/** Returns the best passages of the texts within the token budget, each with the index of its text. */
export function selectPassages(
  texts: readonly PassageText[],
  query: string,
  limit: number,
  maxTokens: number,
): { text: number; info: PassageInfo }[] {
  const looked = texts.map(({ body, headings, outline, near }) => ({
    body,
    outline: outline ?? buildOutline(body, headings),
    near,
  }));
  const taken: { text: number; info: PassageInfo }[] = [];
  let tokens = 0;
  for (const passage of fuseNearest(rankPassages(looked, query, limit), looked).slice(0, limit)) {
    const info = infoOf(passage, looked[passage.text]!.body);
    tokens += estimateTokens(info.text) + estimateTokens(info.headings.join(' '));
    if (tokens > maxTokens && taken.length > 0) break;
    taken.push({ text: passage.text, info });
  }
  return taken;
}

/** Number of characters of each text that are split into passages to find the semantically closest one. */
const reach = 2 ** 20;
const rankBase = 60;

/** Combines keyword matches with the semantically closest passages by reciprocal rank fusion. */
function fuseNearest(
  ranked: RankedPassage[],
  texts: readonly { body: string; outline: Outline; near: PassageText['near'] }[],
): RankedPassage[] {
  const near = texts
    .flatMap(({ body, outline, near: place }, text) => {
      const passage =
        place && place.to > place.from
          ? splitPassages(body.slice(0, reach), outline).find((one) => one.to > place.from)
          : undefined;
      return passage ? [{ ...passage, text, score: place!.score }] : [];
    })
    .sort((one, other) => other.score - one.score);
  if (near.length === 0) return ranked;
  const fused = new Map<string, RankedPassage>();
  for (const list of [ranked, near])
    list.forEach((passage, rank) => {
      const key = `${passage.text} ${passage.from}`;
      const score = (fused.get(key)?.score ?? 0) + 1 / (rankBase + rank + 1);
      fused.set(key, { ...passage, score });
    });
  return [...fused.values()].sort((one, other) => other.score - one.score || one.text - other.text);
}

function infoOf({ from, to, headings, page, score }: RankedPassage, body: string): PassageInfo {
  return {
    text: body.slice(from, to).trim(),
    headings,
    ...(page === undefined ? {} : { page }),
    start: from,
    end: to,
    score: Math.round(score * 1000) / 1000,
  };
}
