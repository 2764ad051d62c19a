import { describe, expect, it } from 'vitest';
import { Cedict, maxDictionaryBytes } from '../src/query/cedict.ts';
import { translateQuery } from '../src/query/translate-query.ts';

const file = `# CC-CEDICT
年假 年假 [nian2 jia4] /annual leave/New Year holidays/
申請 申请 [shen1 qing3] /to apply for sth/application (form etc)/CL:份[fen4]/
離開 离开 [li2 kai1] /to depart/to leave/
假 假 [jia4] /vacation/
氣候變化 气候变化 [qi4 hou4 bian4 hua4] /climate change/
王 王 [Wang2] /surname Wang/
的 的 [de5] /of/~'s (possessive particle)/
not an entry
`;
const dictionary = new Cedict(new TextEncoder().encode(file));
const translated = (question: string): Record<string, readonly string[]> =>
  Object.fromEntries(translateQuery(question, dictionary).map(({ from, to }) => [from, to]));

describe('a dictionary in the CC-CEDICT format', () => {
  it('[finding S22] translates the longest Chinese words, in either script, without particles and surnames', () => {
    const expected = { 年假: ['annual leave', 'new year holidays'], 申请: ['apply for', 'application'] };
    expect(translated('王的年假申请')).toEqual(expected);
    expect(translated('年假的申請')).toEqual(expected);
  });

  it('[finding S22] translates English words and phrases, whatever their form', () => {
    expect(translated('How does climate change happen?')).toEqual({ 'climate change': ['气候变化'] });
    expect(translated('vacations')).toEqual({ vacations: ['假'] });
    expect(translated('he leaves')).toEqual({ leaves: ['离开'] });
  });

  it('translates nothing that it does not have', () => {
    expect(translated('quux 龘 2026')).toEqual({});
  });

  it('refuses what is no dictionary, or too large', () => {
    expect(() => new Cedict(new TextEncoder().encode('hello\nworld'))).toThrow('no line reads');
    expect(() => new Cedict(new Uint8Array(maxDictionaryBytes + 1))).toThrow('at most 33554432 bytes');
  });
});
