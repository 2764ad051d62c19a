import { describe, expect, it } from 'vitest';
import type { SearchEntry, SearchIndex, SearchQuery, SearchResult } from '../../src/ports/search-index.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { openSearchIndex } from '@sheaf/tools/testing/search-index.ts';

/** Short texts about different things that share many words, and questions that one of them answers. */
const texts: Record<string, string> = {
  tea: 'Green tea is made from leaves that are heated soon after picking, so that they do not oxidize. Water should not boil.',
  coffee: 'Coffee beans are roasted seeds. Water just below boiling extracts the taste; darker roasts are more bitter.',
  bees: 'Honey bees dance to tell other workers of the hive where flowers with nectar are, by angle and duration.',
  budget:
    'The department submits its budget in October. The committee approves the budget in November after two readings.',
  travel: 'Employees book travel through the portal. Costs above the limit need the approval of the department.',
  leave: 'Annual leave is requested two weeks ahead in the portal and approved by the team lead.',
  engine: 'A diesel engine ignites its fuel by compression; a petrol engine needs a spark.',
  glacier: 'Glaciers form where more snow falls in winter than melts in summer, and flow slowly downhill.',
  年假: '员工每年享有十五天带薪年假，请提前两周在系统中申请，由部门主管审批。',
  报销: '差旅报销需要在出差结束后一个月内提交发票和行程单，由财务部审核后付款。',
  预算: '各部门在十月提交下一年度的预算草案，预算委员会在十一月经过两轮讨论后批准。',
  茶叶: '绿茶不经过发酵，采摘后立即杀青，冲泡时水温不宜超过八十度。',
  蜜蜂: '蜜蜂通过舞蹈告诉同伴花蜜的方向和距离，蜂群由蜂王、工蜂和雄蜂组成。',
  冰川: '冰川形成于降雪多于融化的地方，在重力作用下缓慢向下流动。',
};

const questions: [question: string, answer: string][] = [
  ['How hot should the water for green tea be?', 'tea'],
  ['what makes roasted coffee taste bitter', 'coffee'],
  ['how do bees communicate where the flower is', 'bees'],
  ['when does the committee approve budgets', 'budget'],
  ['who approves travelling costs over the limit?', 'travel'],
  ['requesting annual leave', 'leave'],
  ['why does a diesel not need a spark', 'engine'],
  ['how are glaciers formed', 'glacier'],
  ['年假有多少天，怎么申请？', '年假'],
  ['出差回来之后报销要交什么材料', '报销'],
  ['预算是什么时候批准的', '预算'],
  ['泡绿茶用多少度的水', '茶叶'],
  ['蜜蜂怎样告诉同伴花蜜在哪里', '蜜蜂'],
  ['冰川是怎么形成的', '冰川'],
];

function entry(id: string, body: string, over: Partial<SearchEntry> = {}): SearchEntry {
  const fixed = {
    space: 'wiki',
    owner: 'base',
    title: '',
    headings: '',
    created: 1,
    modified: 1,
    titleKey: '',
    size: 1,
  };
  return { ...fixed, id, body, ...over };
}

function ask(index: SearchIndex, anywhere: string, over: Partial<SearchQuery> = {}): Promise<SearchResult> {
  return index.search({ space: 'wiki', owners: ['base'], anywhere, order: 'rank', offset: 0, limit: 20, ...over });
}

const ids = ({ hits }: SearchResult): string[] => hits.map((hit) => hit.id);

const orders: Record<string, string[][]> = {};

eachDatabase('relevance', (name, open) => {
  it('[finding S2] a question finds its answer first, in English and in Chinese', async () => {
    const index = await openSearchIndex(await open());
    await index.put(Object.entries(texts).map(([id, body]) => entry(id, body)));
    const answers = [];
    for (const [question] of questions) answers.push(ids(await ask(index, question)));
    expect(answers.map((found) => found[0])).toEqual(questions.map(([, answer]) => answer));
    orders[name] = answers;
    await index.close();
  });

  it('[finding S3] the one document about a word is before all that mention it once', async () => {
    const index = await openSearchIndex(await open());
    const about = 'Heron habits: a heron waits. The heron strikes. Herons nest in trees, and each heron returns.';
    await index.put([
      entry('about', about, { modified: 1 }),
      ...Array.from({ length: 25 }, (_, i) =>
        entry(`m${i}`, `A long walk by the river on day ${i}, with a heron somewhere, ducks and many other birds.`, {
          modified: 100 + i,
        }),
      ),
    ]);
    expect(ids(await ask(index, 'heron'))[0]).toBe('about');
    expect((await ask(index, 'heron')).total).toBe(26);
    await index.close();
  });

  it('[finding S2] every word comes first and is marked; then what has 15 % of the weight; nothing by stop words', async () => {
    const index = await openSearchIndex(await open());
    await index.put([
      entry(
        'both',
        'quarterly audited report and much else that makes it a long text of no great relevance to anybody',
      ),
      entry('one', 'quarterly quarterly quarterly'),
      ...Array.from({ length: 40 }, (_, i) => entry(`r${i}`, `report number ${i} of the year`)),
      entry('the', 'the and of the'),
    ]);
    const { hits, total } = await ask(index, 'the quarterly audited report', { limit: 50 });
    expect(hits.slice(0, 2).map(({ id, match }) => [id, match])).toEqual([
      ['both', 'all'],
      ['one', 'some'],
    ]);
    // Of the weight of all words, "report" alone has less than 15 %: it is in nearly every text.
    expect([hits.length, total]).toEqual([2, 2]);
    expect(ids(await ask(index, 'the unheardof')).length).toBe(0);
    expect(ids(await ask(index, 'the'))).toContain('the');
    await index.close();
  });

  it('[finding S16] a question in the other Chinese script finds the same, first and with every word', async () => {
    const index = await openSearchIndex(await open());
    await index.put([...Object.entries(texts).map(([id, body]) => entry(id, body)), entry('臺灣', '臺灣的濕地與水鳥')]);
    const asked = ['差旅報銷', '員工年假申請', '蜜蜂的舞蹈', '台湾湿地', '臺灣溼地', '預算委員會'];
    const found = [];
    for (const question of asked) found.push((await ask(index, question)).hits[0]);
    expect(found.map((hit) => hit?.id)).toEqual(['报销', '年假', '蜜蜂', '臺灣', '臺灣', '预算']);
    expect(found[0]?.match).toBe('all');
    await index.close();
  });

  it('[finding S17] a word that no text has finds the nearest one, and the answer tells which', async () => {
    const index = await openSearchIndex(await open());
    await index.put([
      ...Object.entries(texts).map(([id, body]) => entry(id, body)),
      entry('secret', 'committea', { owner: 'other' }),
    ]);
    const asked = ['glaceirs', 'the comittee', 'departmnet travel', 'oxidise'];
    const found = [];
    for (const question of asked) {
      const { hits, corrected } = await ask(index, question);
      found.push([hits[0]?.id, hits[0]?.match, ...(corrected ?? [])].flat());
    }
    expect(found).toEqual([
      ['glacier', 'some', 'glaceirs', 'glaciers'],
      ['budget', 'some', 'comittee', 'committee'],
      ['travel', 'some', 'departmnet', 'department'],
      ['tea', 'some', 'oxidise', 'oxidize'],
    ]);
    // What others wrote corrects nothing, nor are words corrected that are there, numbers or short words.
    expect((await ask(index, 'committea')).corrected?.get('committea')).toBe('committee');
    for (const question of ['water', 'tee', '2045', 'quicksilver'])
      expect((await ask(index, question)).corrected).toBeUndefined();
    await index.close();
  });

  it('[finding S17] forms of a word in other languages decide between texts', async () => {
    const index = await openSearchIndex(await open());
    await index.put([
      entry('a', 'город и его музеи'),
      entry('b', 'город и его новости'),
      entry('c', 'die Stadt und ihre Museen'),
      entry('d', 'die Stadt und ihre Zeitungsartikel'),
    ]);
    expect(ids(await ask(index, 'город новостями'))).toEqual(['b', 'a']);
    expect(ids(await ask(index, 'Stadt Zeitungen'))).toEqual(['d', 'c']);
    await index.close();
  });

  it('[finding S17] a title is found by its pinyin where no text has that word, whole, in parts and while it is typed', async () => {
    const index = await openSearchIndex(await open());
    await index.put([
      entry('leave', '带薪', { title: '2026 年假申请流程' }),
      entry('budget', '年假', { title: '預算' }),
      entry('bank', '', { title: '银行账户' }),
      entry('people', 'About women', { title: '我们' }),
      entry('other', '', { title: '年假', owner: 'other' }),
    ]);
    const asked = ['nianjia', 'nian jia', 'nianjiashenqingliucheng', 'Yùsuàn', 'yinhang zhanghu', 'women', 'shenqin'];
    const found = [];
    for (const question of asked) found.push(ids(await ask(index, question)));
    expect(found).toEqual([['leave'], ['leave'], ['leave'], ['budget'], ['bank'], ['people'], []]);
    expect((await ask(index, 'nianjia')).hits[0]?.match).toBe('all');
    expect(ids(await ask(index, 'nianj', { prefix: true }))).toEqual(['leave']);
    expect(ids(await ask(index, 'nianjia', { anywhere: undefined, body: 'nianjia' }))).toEqual([]);
    await index.close();
  });

  it('[finding S17] a date is found however it is written', async () => {
    const index = await openSearchIndex(await open());
    const written = [
      '2026-11-18',
      '18.11.2026',
      '11/18/2026',
      'November 18th, 2026',
      '2026年11月18日',
      '2026년 11월 18일',
    ];
    await index.put([
      ...written.map((date, i) => entry(`d${i}`, `Paid on ${date}, in full.`)),
      entry('other', 'Paid on 2026-10-19 and on 18.12.2025.'),
    ]);
    for (const date of written) {
      const { hits } = await ask(index, date);
      const all = hits.filter(({ match }) => match === 'all').map(({ id }) => id);
      expect([date, all.sort()]).toEqual([date, ['d0', 'd1', 'd2', 'd3', 'd4', 'd5']]);
    }
    await index.close();
  });

  it('finds by beginnings only when asked to', async () => {
    const index = await openSearchIndex(await open());
    await index.put([entry('a', 'metamorphosis of plants'), entry('b', 'meta data')]);
    expect(ids(await ask(index, 'metamo'))).toEqual([]);
    expect(ids(await ask(index, 'metam', { prefix: true }))).toEqual(['a']);
    expect(ids(await ask(index, 'plants metam', { prefix: true }))).toEqual(['a']);
    await index.close();
  });

  it('orders by time keep to what has every word, and fall back to relevance where nothing has', async () => {
    const index = await openSearchIndex(await open());
    await index.put([
      entry('old', 'zinc copper', { modified: 1 }),
      entry('new', 'zinc copper iron', { modified: 3 }),
      entry('part', 'zinc', { modified: 9 }),
    ]);
    expect(ids(await ask(index, 'zinc copper', { order: 'modified' }))).toEqual(['new', 'old']);
    const { hits, total } = await ask(index, 'zinc copper iron gold', { order: 'modified' });
    expect([hits.map((hit) => [hit.id, hit.match]), total]).toEqual([
      [
        ['new', 'some'],
        ['old', 'some'],
        ['part', 'some'],
      ],
      3,
    ]);
    await index.close();
  });

  it('[finding S15] a text with a fifth of the weight of a long question is found, after what has every word', async () => {
    const index = await openSearchIndex(await open());
    const question = 'zinc copper iron gold silver';
    await index.put([
      entry('few', 'gold'),
      entry('all', `${question} and a long text beside that makes each of these words count for less than alone`),
      ...['zinc', 'copper', 'iron', 'silver'].map((word) => entry(`other ${word}`, `${word} beside lead`)),
    ]);
    const { hits } = await ask(index, question);
    expect(hits[0]).toMatchObject({ id: 'all', match: 'all' });
    expect(hits.map(({ id }) => id)).toContain('few');
    await index.close();
  });

  it('[finding S15] single characters, and a number without its character, decide between texts alike otherwise', async () => {
    const index = await openSearchIndex(await open());
    await index.put([
      entry('a', '报销单据一份'),
      entry('b', '报销进程流水'),
      entry('c', '经济增长 2025 快'),
      entry('d', '经济增长 2024 快'),
      entry('all', '关于报销流程的一个很长很长的说明，里面还有许多别的内容'),
    ]);
    expect(ids(await ask(index, '报销流程'))).toEqual(['all', 'b', 'a']);
    expect(ids(await ask(index, '2024年经济'))).toEqual(['d', 'c']);
    await index.close();
  });
});

/** Letters of scripts with and without spaces between words. */
const alphabets = [
  'abdegiklmnorst',
  'αβγδεζηθικλμνο',
  'абвгдежзиклмно',
  'ابتثجحخدذرزسشص',
  'äbdegiklöürstu',
  '年假申请预算报销流程部门',
  'あいうえおかきくけこ休暇',
  '가나다라마바사아자차카타',
  'กขคงจฉชซฌญฎฏฐฑ',
];

/** Words of six letters; those of one script often share their first five, as inflected forms do. */
function wordOf(i: number): string {
  const letters = alphabets[i % alphabets.length]!;
  const rest = Math.floor(i / alphabets.length);
  return [rest >> 1, rest >> 2, rest * 5, rest * 3, rest >> 3, rest]
    .map((at) => letters.charAt(at % letters.length))
    .join('');
}

/** Texts of words that are the rarer the later they stand in the list, as in languages; the same ones every time. */
function generated(count: number): { entries: SearchEntry[]; questions: string[] } {
  let state = 7;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const vocabulary = Array.from({ length: 400 }, (_, i) => wordOf(i));
  const text = (length: number): string =>
    Array.from({ length }, () => vocabulary[Math.floor(400 * random() ** 3)]).join(' ');
  return {
    entries: Array.from({ length: count }, (_, i) =>
      entry(`e${i}`, text(10 + (i % 50)), { title: text(3), headings: text(i % 4), modified: i % 5 }),
    ),
    // Every fifth question has a word with a typo.
    questions: Array.from(
      { length: 90 },
      (_, i) => `${text(1 + Math.floor(8 * random()))}${i % 5 === 0 ? ` ${wordOf(i)}x` : ''}`,
    ),
  };
}

const generatedOrders: Record<string, string[][]> = {};

eachDatabase('relevance of a generated set', (name, open) => {
  it('finds the same however the texts came to be there', async () => {
    const index = await openSearchIndex(await open());
    const { entries, questions: asked } = generated(600);
    // Other batches on each database, so that what lies in which segment differs; a third of all is written twice.
    const batch = name === 'sqlite' ? 37 : 150;
    await index.put(entries.slice(0, 200).map((one) => ({ ...one, body: one.title, title: 'before' })));
    for (let from = 0; from < entries.length; from += batch) await index.put(entries.slice(from, from + batch));
    await index.remove('wiki', ['e5', 'e300', 'e599']);
    generatedOrders[name] = [];
    for (const question of asked)
      for (const limit of [10, 200]) generatedOrders[name].push(ids(await ask(index, question, { limit })));
    // The first page is found with fewer documents scored, and is the beginning of all the same.
    for (let at = 0; at < generatedOrders[name].length; at += 2)
      expect(generatedOrders[name][at]).toEqual(generatedOrders[name][at + 1]!.slice(0, 10));
    expect(generatedOrders[name].flat()).not.toContain('e300');
    await index.close();
  });
});

describe('both databases', () => {
  it('[finding S2] give the same order, in several scripts', () => {
    expect(orders['sqlite']).toBeDefined();
    expect(orders['postgres']).toEqual(orders['sqlite']);
    expect(generatedOrders['sqlite']?.every((found) => found.length > 0)).toBe(true);
    expect(generatedOrders['postgres']).toEqual(generatedOrders['sqlite']);
  });
});
