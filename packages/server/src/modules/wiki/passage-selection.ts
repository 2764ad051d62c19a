import { z } from 'zod';
import { estimateTokens } from '@sheaf/search/analysis/llm-token-estimate';
import { NearDuplicates } from '@sheaf/search/passages/near-duplicates';
import { rankPassages } from '@sheaf/search/passages/rank-passages';
import { scoreTexts } from '@sheaf/search/passages/score-texts';
import { integer, list, text } from '../../kernel/field-schemas.ts';
import type { SourceHit, SourceText } from '../../ports/search-source.ts';
import { PassageIndexCache } from './passage-index-cache.ts';
import { renderRows } from './table-passage.ts';

export const passageFields = {
  text: text('The passage; of a spreadsheet, rows with their headings.'),
  headings: list('Headings it stands under, highest first.', text('A heading.')),
  page: text('Page, slide or sub-sheet it begins on, if there are any.').optional(),
  range: text('Rows of a spreadsheet, such as Parts!A57:D61.').optional(),
  cell: text('Cell that answers best, such as Parts!B57.').optional(),
  start: integer('Where it begins in the text, in UTF-16 code units; for get_knowledge_content.'),
  end: integer('Where it ends.'),
  score: z.number().meta({ description: 'How well it answers; comparable within one result only.' }),
};

export type PassageInfo = z.input<z.ZodObject<typeof passageFields>>;

export interface SelectOptions {
  query: string;
  limit: number;
  maxTokens: number;
  /** Whether the beginning of a text is returned as a passage if only the title matched. */
  includeLeadPassages?: boolean;
  /** Maximum number of hits whose texts are read, best hits first. */
  maxTexts: number;
}

/**
 * Number of candidate passages ranked per passage to return. Some candidates are skipped as near duplicates or because
 * of the token budget.
 */
const rankedPerPassage = 4;
const empty: SourceText = { body: '', headings: '' };

const indexes = new PassageIndexCache();

/**
 * Returns the best passages of the hits, at most `limit` passages and `maxTokens` tokens, but at least one passage if
 * there is any. Each result contains the index of its hit in `hits`.
 */
export async function selectPassages(
  hits: readonly Pick<SourceHit, 'title' | 'score' | 'near' | 'readText'>[],
  { query, limit, maxTokens, maxTexts, includeLeadPassages = false }: SelectOptions,
): Promise<{ hit: number; info: PassageInfo }[]> {
  const looked = scoreTexts(hits, query)
    .map((score, hit) => ({ hit, score }))
    .sort((one, other) => other.score - one.score)
    .slice(0, maxTexts);
  const texts: SourceText[] = [];
  const ranked: Parameters<typeof rankPassages>[0][number][] = [];
  for (const { hit, score } of looked) {
    const { near, readText } = hits[hit]!;
    const found = (await readText()) ?? empty;
    texts.push(found);
    ranked.push({ body: found.body, index: await indexes.get(found), score, near });
  }
  const taken: { hit: number; info: PassageInfo }[] = [];
  const seen = new NearDuplicates();
  let tokens = 0;
  const best = rankPassages(ranked, query, limit * rankedPerPassage, { includeLeadPassages });
  for (const passage of best) {
    if (taken.length >= limit) break;
    const { body } = texts[passage.text]!;
    const own = body.slice(passage.from, passage.to).trim();
    if (seen.has(own)) continue;
    const { headings, page, from, to, score } = passage;
    const shown = renderRows(passage, body, query) ?? {
      text: own === '' ? hits[looked[passage.text]!.hit]!.title : own,
    };
    tokens += estimateTokens(shown.text) + estimateTokens(headings.join(' '));
    if (tokens > maxTokens && taken.length > 0) break;
    const info: PassageInfo = {
      ...shown,
      headings: [...headings],
      ...(page === undefined ? {} : { page }),
      start: from,
      end: to,
      score: Math.round(score * 1000) / 1000,
    };
    taken.push({ hit: looked[passage.text]!.hit, info });
  }
  return taken;
}
