import type { SearchEntry } from '@sheaf/server/ports/search-index.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';

/** Size and random seed of the generated corpus; the same seed gives the same entries on every machine. */
interface CorpusOptions {
  count: number;
  seed?: number;
}

/** Words planted in the corpus: `half` and `halfHan` are in every second entry, `twenty` is in exactly twenty. */
export const plantedWords = {
  half: 'meridian',
  twenty: 'zephyrine',
  halfHan: '纪要',
} as const;
/** Id of a user who owns only one entry in a thousand, to measure searches that are limited to few entries. */
export const smallOwner = 'few';

const common = [...'的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长' +
'知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市' +
'眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让' +
'认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取' +
'设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴布料验']; // prettier-ignore
const syllables =
  'ba con de er fi gra ho in ja ko lu men no ob pre qui ra sta tion un ver wa xe yo zo al be cy dro ex'.split(' ');

function vocabularyOf(seed: number): { english: string[]; chinese: string[] } {
  const random = new SeededRandom(seed);
  return {
    english: Array.from({ length: 20_000 }, () =>
      Array.from({ length: 2 + random.below(3) }, () => random.oneOf(syllables)).join(''),
    ),
    chinese: Array.from({ length: 20_000 }, () => manyOf(common, 2 + (random.happens(0.2) ? 1 : 0), random).join('')),
  };
}

/** Draws words with skewed frequencies, as in natural text: few frequent words, many rare ones. */
function manyOf(words: readonly string[], length: number, random: SeededRandom): string[] {
  return Array.from({ length }, () => words[Math.floor(words.length * random.fraction() ** 3)]!);
}

/** Returns rare words of the corpus, alternately English and Chinese. */
export function queryWords(count: number, seed = 1): string[] {
  const { english, chinese } = vocabularyOf(seed);
  const random = new SeededRandom(seed + 1);
  return Array.from({ length: count }, (_, i) => (i % 2 === 0 ? english : chinese)[4000 + random.below(16_000)]!);
}

/**
 * Returns queries of eight words each, alternately English and Chinese. Frequent words are more likely, as in real
 * questions.
 */
export function questions(count: number, seed = 1): string[] {
  const { english, chinese } = vocabularyOf(seed);
  const random = new SeededRandom(seed + 2);
  return Array.from({ length: count }, (_, i) => manyOf(i % 2 === 0 ? english : chinese, 8, random).join(' '));
}

export function* corpus({ count, seed = 1 }: CorpusOptions): Generator<SearchEntry> {
  const words = vocabularyOf(seed);
  const random = new SeededRandom(seed);
  const english = (n: number): string => manyOf(words.english, n, random).join(' ');
  const chinese = (n: number): string => manyOf(words.chinese, n, random).join('');
  const start = Date.UTC(2023, 0, 1);
  for (let i = 0; i < count; i++) {
    const isChinese = random.happens(0.6);
    const title = (isChinese ? chinese : english)(3 + random.below(4));
    const sentences: string[] = [];
    for (let s = 0, n = 3 + random.below(8); s < n; s++)
      sentences.push(
        random.happens(0.15) === isChinese ? `${english(8 + random.below(8))}.` : `${chinese(6 + random.below(8))}。`,
      );
    const plant = (text: string): unknown => sentences.splice(random.below(sentences.length), 0, text);
    plant(i % 2 === 0 ? ` ${plantedWords.half} ` : `本周${plantedWords.halfHan}如下`);
    if (i < 2000 && i % 100 === 11) plant(` ${plantedWords.twenty} `);
    const body = sentences.join(isChinese ? '' : ' ');
    const created = start + random.below(900) * 86_400_000 + random.below(86_400_000);
    yield {
      space: 'note',
      id: `n${String(i).padStart(7, '0')}`,
      owner: i % 1000 === 5 ? smallOwner : 'ann',
      title: i % 50 === 0 ? `${title} ${plantedWords.half}` : title,
      headings: i % 3 === 0 ? english(3) : '',
      body,
      created,
      modified: created + random.below(30) * 86_400_000,
      titleKey: title,
      size: body.length,
    };
  }
}
