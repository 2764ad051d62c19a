/**
 * Formulas in files carry marks in front of functions that came after 2007. They are put on and taken off outside quoted
 * text and names of sub-sheets.
 */
const plainNew = `ACOT ACOTH AGGREGATE ARABIC BASE BETA.DIST BETA.INV BINOM.DIST BINOM.DIST.RANGE BINOM.INV BITAND BITLSHIFT BITOR BITRSHIFT BITXOR
BYCOL BYROW CEILING.MATH CEILING.PRECISE CHISQ.DIST CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CHISQ.TEST CHOOSECOLS CHOOSEROWS COMBINA CONCAT
CONFIDENCE.NORM CONFIDENCE.T COT COTH COVARIANCE.P COVARIANCE.S CSC CSCH DAYS DECIMAL DROP ENCODEURL ERF.PRECISE ERFC.PRECISE EXPAND EXPON.DIST
F.DIST F.DIST.RT F.INV F.INV.RT F.TEST FIELDVALUE FILTERXML FLOOR.MATH FLOOR.PRECISE FORECAST.ETS FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY
FORECAST.ETS.STAT FORECAST.LINEAR FORMULATEXT GAMMA GAMMA.DIST GAMMA.INV GAMMALN.PRECISE GAUSS HSTACK HYPGEOM.DIST IFNA IFS IMCOSH IMCOT IMCSC
IMCSCH IMSEC IMSECH IMSINH IMTAN ISFORMULA ISO.CEILING ISOMITTED ISOWEEKNUM LAMBDA LET LOGNORM.DIST LOGNORM.INV MAKEARRAY MAP MAXIFS MINIFS MODE.MULT
MODE.SNGL MUNIT NEGBINOM.DIST NETWORKDAYS.INTL NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NUMBERVALUE PDURATION PERCENTILE.EXC PERCENTILE.INC
PERCENTRANK.EXC PERCENTRANK.INC PERMUTATIONA PHI POISSON.DIST QUARTILE.EXC QUARTILE.INC RANDARRAY RANK.AVG RANK.EQ REDUCE RRI SCAN SEC SECH SEQUENCE
SHEET SHEETS SKEW.P SORTBY STDEV.P STDEV.S SWITCH T.DIST T.DIST.2T T.DIST.RT T.INV T.INV.2T T.TEST TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL
TOROW UNICHAR UNICODE UNIQUE VALUETOTEXT ARRAYTOTEXT VAR.P VAR.S VSTACK WEBSERVICE WEIBULL.DIST WORKDAY.INTL WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR Z.TEST
GROUPBY PIVOTBY PERCENTOF TRIMRANGE REGEXTEST REGEXEXTRACT REGEXREPLACE IMAGE`;

const unmarked = new Set(['NETWORKDAYS.INTL', 'WORKDAY.INTL', 'ISO.CEILING']);
const marks = new Map<string, string>(
  plainNew
    .split(/\s+/)
    .filter((name) => !unmarked.has(name))
    .map((name) => [name, '_xlfn.']),
);
for (const name of ['FILTER', 'SORT']) marks.set(name, '_xlfn._xlws.');

/** Quoted texts and quoted names as they are; function names by themselves. */
const pieces = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[A-Za-z_][A-Za-z0-9_.]*(?=\()/g;

/** Without its `=`, as files hold it. */
export function toFile(formula: string): string {
  const text = formula.startsWith('=') ? formula.slice(1) : formula;
  return text.replace(pieces, (piece) => {
    const first = piece.charCodeAt(0);
    if (first === 34 || first === 39) return piece;
    const mark = marks.get(piece.toUpperCase());
    return mark === undefined ? piece : mark + piece;
  });
}

/** With its `=`, as documents hold it. */
export function fromFile(text: string): string {
  const plain = text.includes('_xl')
    ? text.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|_xlfn\.(?:_xlws\.)?|_xlpm\./gi, (piece) =>
        piece.charCodeAt(0) === 95 ? '' : piece,
      )
    : text;
  return `=${plain}`;
}

const range = String.raw`\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3}\$?\d+`;
const besideOperator = new RegExp(`[-+*/^&=<>]\\s*${range}|${range}\\s*[-+*/^&=<>%]|^=\\s*${range}`, 'i');
const takesRanges = new Set(
  `SUM AVERAGE AVERAGEA COUNT COUNTA COUNTBLANK MIN MAX MINA MAXA MEDIAN MODE PRODUCT STDEV STDEVP VAR VARP SUMSQ
SUMIF SUMIFS COUNTIF COUNTIFS AVERAGEIF AVERAGEIFS MINIFS MAXIFS SUMPRODUCT VLOOKUP HLOOKUP MATCH RANK LARGE SMALL PERCENTILE QUARTILE SUBTOTAL AND OR
ROWS COLUMNS CORREL SLOPE INTERCEPT NPV IRR CONCAT TEXTJOIN ROUND ABS IFERROR STDEV.S STDEV.P VAR.S VAR.P RANK.EQ`.split(
    /\s+/,
  ),
);

/** Whether a formula must be marked as one that works on whole ranges, for programs that would otherwise pick a single cell. */
export function needsArray(formula: string): boolean {
  if (!formula.includes(':') && !formula.includes('{')) return false;
  if (besideOperator.test(formula)) return true;
  for (const [piece] of formula.matchAll(pieces)) {
    const first = piece.charCodeAt(0);
    if (first !== 34 && first !== 39 && !takesRanges.has(piece.toUpperCase())) return true;
  }
  return false;
}
