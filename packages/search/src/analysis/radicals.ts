/**
 * The ideographs that replace the characters U+2E80 to U+2EF3 of the CJK Radicals Supplement, in their order, from
 * Unicode's EquivalentUnifiedIdeograph.txt. PDF files often contain such a radical instead of the ideograph that looks
 * like it, and the Unicode normalization NFKC does not replace these radicals. A dot marks a radical without an
 * equivalent.
 */
const first = 0x2e80;
const ideographs = [
  ...'冫厂乛乚乙亻冂几刀刂卜㔾小小兀尣', // 2E80
  ...'尢尣巳幺彑彐忄㣺扌攵.旡日月歺母', // 2E90
  ...'民氵氺灬爫爫丬牛犭王疋目示礻竹糹', // 2EA0
  ...'纟罓罒网网网羊羊羊耂肀聿肉臼艹艹', // 2EB0
  ...'艹虎衤覀西见角角讠贝足车辶辶辶阝', // 2EC0
  ...'钅長镸长门阜阝雨青韦页风飞食食飠', // 2ED0
  ...'饣首马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜', // 2EE0
  ...'龙龜亀龟', // 2EF0
];

const radicals = /[\u2e80-\u2ef3]/g;

/** Replaces each character of the CJK Radicals Supplement by its ideograph. */
export function replaceRadicals(text: string): string {
  return text.replace(radicals, (radical) => {
    const ideograph = ideographs[radical.charCodeAt(0) - first];
    return ideograph === undefined || ideograph === '.' ? radical : ideograph;
  });
}
