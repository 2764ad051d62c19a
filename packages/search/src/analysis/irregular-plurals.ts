/** Pairs of words: an irregular English plural that the stemmer does not reduce, followed by its singular. */
const pairs =
  'children child men man women woman people person feet foot teeth tooth geese goose mice mouse lice louse oxen ox ' +
  'knives knife wives wife shelves shelf wolves wolf thieves thief loaves loaf calves calf ' +
  'elves elf scarves scarf selves self criteria criterion phenomena phenomenon bacteria bacterium ' +
  'curricula curriculum memoranda memorandum strata stratum spectra spectrum analyses analysis crises crisis theses thesis ' +
  'hypotheses hypothesis diagnoses diagnosis oases oasis parentheses parenthesis indices index ' +
  'matrices matrix vertices vertex appendices appendix vortices vortex cacti cactus fungi fungus nuclei nucleus radii radius ' +
  'stimuli stimulus alumni alumnus foci focus loci locus algae alga larvae larva formulae formula antennae antenna vertebrae vertebra';

const words = pairs.split(' ');
const singulars = new Map(words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1]!] as const] : [])));

/** Returns the singular of an irregular plural, or the word unchanged. */
export function singularOf(word: string): string {
  return singulars.get(word) ?? word;
}
