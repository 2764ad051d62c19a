/** Words that occur in nearly every English text. They are ignored in a query unless it has no other words. */
const stopWords = new Set(
  (
    'a an the and or but nor if then else of at by for with about against between into through during before after ' +
    'above below to from up down in out on off over under again further once here there when where why how what which ' +
    'who whom whose this that these those i me my mine we us our ours you your yours he him his she her hers it its ' +
    'they them their theirs am is are was were be been being have has had having do does did doing done can could ' +
    'shall should will would may might must s t d ll m re ve not no so than too very just also as while until because ' +
    'such own same both each few more most other some any all only'
  ).split(' '),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/**
 * Chinese particles and question words. A pair of adjacent characters that contains one is rarely a word, so it counts
 * less in a query.
 */
const particles = new Set('的了是在和与及或也都就而着过吗呢吧啊么什哪谁被把对从由其之这那个');

const hiragana = /\p{sc=Hiragana}/u;

/**
 * Returns a function that tells whether one or two characters of a run are probably a particle or an ending, not a
 * word. Hiragana next to Kanji or Katakana writes endings and particles, but Hiragana alone writes words.
 */
export function createGrammarTest(run: readonly string[]): (text: string) => boolean {
  const isHiragana = (text: string): boolean => hiragana.test(text);
  if (!run.some(isHiragana)) return containsParticle;
  return run.every(isHiragana) ? () => false : isHiragana;
}

export function isParticle(character: string): boolean {
  return particles.has(character);
}

function containsParticle(pair: string): boolean {
  for (const character of pair) if (particles.has(character)) return true;
  return false;
}
