import { describe, expect, it } from 'vitest';
import { pinyinTokens, visitPinyin } from '../src/analysis/pinyin.ts';

const tokensOf = (title: string): string[] => {
  const tokens: string[] = [];
  visitPinyin(title, {
    positioned: (token, place) => tokens.push(`${token}@${place}`),
    unpositioned: (token) => tokens.push(token),
  });
  return tokens;
};

describe('pinyin of titles', () => {
  it('[finding S17] has the syllables and each pair at the position of its first character', () => {
    expect(tokensOf('2026 年假')).toEqual(['†nian', '†jia', '†nianjia@1']);
    expect(tokensOf('Annual leave')).toEqual([]);
  });

  it('has both readings of a character that has two, and those of surnames', () => {
    expect(tokensOf('银行')).toEqual(['†yin', '†xing', '†yinxing@0', '†hang', '†yinhang@0']);
    expect(tokensOf('曾')).toContain('†zeng');
    expect(tokensOf('绿')).toEqual(['†lv', '†lu']);
  });

  it('is the same in both Chinese scripts', () => {
    expect(tokensOf('預算')).toEqual(tokensOf('预算'));
  });
});

describe('a word as pinyin', () => {
  it('is divided into syllables in every way, and looked up by pairs', () => {
    expect(pinyinTokens('nianjia')).toContainEqual({ tokens: ['†nianjia'] });
    expect(pinyinTokens('nianjiashenqing')).toContainEqual({
      tokens: ['†nianjia', '†jiashen', '†shenqing'],
      positions: [0, 1, 2],
    });
    expect(pinyinTokens('xian')).toContainEqual({ tokens: ['†xian'] });
  });

  it('is nothing for other words', () => {
    for (const word of ['strength', 'gpt4', '年假', 'v']) expect(pinyinTokens(word)).toEqual([]);
  });

  it('takes no time for a long word of short syllables', () => {
    expect(pinyinTokens('a'.repeat(64)).length).toBe(0);
  });
});
