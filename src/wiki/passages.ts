import { z } from 'zod';
import { bestPassages, type RankedPassage } from '../lib/search/best-passages.ts';
import { outlineFrom, type Outline } from '../lib/search/passages.ts';
import { countTokens } from '../lib/token-budget.ts';
import { integer, list, text } from '../operation/fields.ts';

/** A text in which passages are looked for. */
export interface PassageText {
  body: string;
  headings: string;
  outline?: Outline | undefined;
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

/** The best passages of the texts, as many as the budget of tokens holds, each with the number of its text. */
export function passagesWithin(
  texts: readonly PassageText[],
  query: string,
  limit: number,
  maxTokens: number,
): { text: number; info: PassageInfo }[] {
  const looked = texts.map(({ body, headings, outline }) => ({
    body,
    outline: outline ?? outlineFrom(body, headings),
  }));
  const taken: { text: number; info: PassageInfo }[] = [];
  let tokens = 0;
  for (const passage of bestPassages(looked, query, limit)) {
    const info = infoOf(passage, looked[passage.text]!.body);
    tokens += countTokens(info.text) + countTokens(info.headings.join(' '));
    if (tokens > maxTokens && taken.length > 0) break;
    taken.push({ text: passage.text, info });
  }
  return taken;
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
