import { functionNamed } from '@sheaf/engine';
import { bracketEnd, tokenAt, quoteEnd, identifierAt } from './formula-lexer.ts';

/** Functions added after Excel 2007. Files write them with the prefix `_xlfn.`. */
const prefixedFunctions = `ACOT ACOTH AGGREGATE ARABIC BASE BETA.DIST BETA.INV BINOM.DIST BINOM.DIST.RANGE BINOM.INV BITAND BITLSHIFT BITOR BITRSHIFT BITXOR
BYCOL BYROW CEILING.MATH CEILING.PRECISE CHISQ.DIST CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CHISQ.TEST CHOOSECOLS CHOOSEROWS COMBINA CONCAT
CONFIDENCE.NORM CONFIDENCE.T COT COTH COVARIANCE.P COVARIANCE.S CSC CSCH DAYS DECIMAL DROP ENCODEURL ERF.PRECISE ERFC.PRECISE EXPAND EXPON.DIST
F.DIST F.DIST.RT F.INV F.INV.RT F.TEST FIELDVALUE FILTERXML FLOOR.MATH FLOOR.PRECISE FORECAST.ETS FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY
FORECAST.ETS.STAT FORECAST.LINEAR FORMULATEXT GAMMA GAMMA.DIST GAMMA.INV GAMMALN.PRECISE GAUSS HSTACK HYPGEOM.DIST IFNA IFS IMCOSH IMCOT IMCSC
IMCSCH IMSEC IMSECH IMSINH IMTAN ISFORMULA ISO.CEILING ISOMITTED ISOWEEKNUM LAMBDA LET LOGNORM.DIST LOGNORM.INV MAKEARRAY MAP MAXIFS MINIFS MODE.MULT
MODE.SNGL MUNIT NEGBINOM.DIST NETWORKDAYS.INTL NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NUMBERVALUE PDURATION PERCENTILE.EXC PERCENTILE.INC
PERCENTRANK.EXC PERCENTRANK.INC PERMUTATIONA PHI POISSON.DIST QUARTILE.EXC QUARTILE.INC RANDARRAY RANK.AVG RANK.EQ REDUCE RRI SCAN SEC SECH SEQUENCE
SHEET SHEETS SKEW.P SORTBY STDEV.P STDEV.S SWITCH T.DIST T.DIST.2T T.DIST.RT T.INV T.INV.2T T.TEST TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL
TOROW UNICHAR UNICODE UNIQUE VALUETOTEXT ARRAYTOTEXT VAR.P VAR.S VSTACK WEBSERVICE WEIBULL.DIST WORKDAY.INTL WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR Z.TEST
GROUPBY PIVOTBY PERCENTOF TRIMRANGE REGEXTEST REGEXEXTRACT REGEXREPLACE IMAGE ANCHORARRAY SINGLE STOCKHISTORY TRANSLATE
DETECTLANGUAGE COPILOT`;

const unmarked = new Set(['NETWORKDAYS.INTL', 'WORKDAY.INTL', 'ISO.CEILING']);
const functionPrefixes = new Map<string, string>(
  prefixedFunctions
    .split(/\s+/)
    .filter((name) => !unmarked.has(name))
    .map((name) => [name, '_xlfn.']),
);
for (const name of ['FILTER', 'SORT', 'PY']) functionPrefixes.set(name, '_xlfn._xlws.');

/** Matches a quoted text or sheet name (to be skipped) or a function name. */
const pieces = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[A-Za-z_][A-Za-z0-9_.]*(?=\()/g;

/** Characters that can occur inside an operand: a reference, a name or a function call. */
const joins = /[!:.$\p{L}\p{N}_\\?]/u;

/**
 * Converts a formula to the syntax of xlsx files, without the `=`. Adds prefixes to functions and to variables of LET
 * and LAMBDA, and replaces `D1#` and `@A1:A3` by functions. `isDefined` tells whether a word is the name of a defined
 * name or table, even if a function has the same name.
 */
export function toFileSyntax(
  formula: string,
  variables: ReadonlySet<string> = new Set(),
  isDefined: (name: string) => boolean = () => false,
): string {
  const text = formula.startsWith('=') ? formula.slice(1) : formula;
  let out = '';
  // `start` is the offset in `out` where the current operand starts, or -1. `around` is a stack with one entry for each
  // open parenthesis: the start of the operand that contains the parenthesis.
  let start = -1;
  const around: number[] = [];
  // Files have a call of the function SINGLE in place of the operator `@`. `single` lists the parenthesis depths at
  // which these calls must be closed.
  const single: number[] = [];
  const endOperand = (): void => {
    start = -1;
    for (; single.at(-1) === around.length; single.pop()) out += ')';
  };
  for (let at = 0; at < text.length;) {
    const sign = text[at]!;
    const word = identifierAt(text, at);
    const end = sign === '"' || sign === "'" ? quoteEnd(text, at) : sign === '[' ? bracketEnd(text, at) : at;
    if (end > at || word !== undefined) {
      if (start < 0) start = out.length;
      const next = end > at ? end : at + word!.length;
      out +=
        end > at
          ? text.slice(at, next)
          : prefixOf(word!, out, text.slice(next, next + 20), variables, isDefined) + word!;
      at = next;
    } else if (sign === '(') {
      around.push(start < 0 ? out.length : start);
      start = -1;
      out += sign;
      at++;
    } else if (sign === ')') {
      endOperand();
      start = around.pop() ?? -1;
      out += sign;
      at++;
    } else if (sign === '@') {
      out += '_xlfn.SINGLE(';
      single.push(around.length);
      at++;
    } else if (sign === '#' && start >= 0 && !/[!:]$/.test(out)) {
      out = `${out.slice(0, start)}_xlfn.ANCHORARRAY(${out.slice(start)})`;
      at++;
    } else if (sign === '#') {
      const [error] = /^#[\p{L}\p{N}_/]*[!?]?/u.exec(text.slice(at))!;
      if (start < 0) start = out.length;
      out += error;
      at += error.length;
    } else {
      const plain = tokenAt(text, at);
      if (!joins.test(plain[0]!)) endOperand();
      else if (start < 0) start = out.length;
      out += plain;
      at += plain.length;
    }
  }
  endOperand();
  return out;
}

/**
 * Returns the prefix that files put before a word of a formula, such as `_xlfn.`. `before` and `after` are the text
 * around the word.
 */
function prefixOf(
  word: string,
  before: string,
  after: string,
  variables: ReadonlySet<string>,
  isDefined: (name: string) => boolean,
): string {
  const name = word.toUpperCase();
  if (variables.has(name)) return '_xlpm.';
  if (after.startsWith('(')) return functionPrefixes.get(name) ?? '';
  // A function name without parentheses as an argument, as in BYROW(A1:B2,SUM), stands for the function itself and gets
  // a prefix of its own.
  const isArgument = /[(,]\s*$/.test(before) && /^\s*[,)]/.test(after);
  const isFunction = isArgument && !logicalValues.has(name) && functionNamed(name) !== undefined;
  return isFunction && !isDefined(name) ? '_xleta.' : '';
}

const logicalValues = new Set(['TRUE', 'FALSE']);

const mark =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|((?:_xlfn\.)?(?:_xlws\.)?)([A-Za-z_][A-Za-z0-9_.]*)(?=\()|_xlpm\.|_xleta\./gi;

/**
 * Converts a formula from the syntax of xlsx files and adds the leading `=`. An unknown function keeps its prefix,
 * because `toFileSyntax` could not restore it.
 */
export function fromFileSyntax(text: string): string {
  const plain = text.includes('_xl')
    ? text.replace(mark, (piece: string, given: string | undefined, name: string | undefined) => {
        if (/^_xl(?:pm|eta)\./i.test(piece)) return piece.slice(piece.indexOf('.') + 1);
        if (!given || name === undefined) return piece;
        const isKnown = functionPrefixes.has(name.toUpperCase()) || functionNamed(name.toUpperCase()) !== undefined;
        return isKnown ? name : piece;
      })
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

/**
 * Returns whether a formula must be written as an array formula. If it were written as a plain formula, other programs
 * might use only one value of each cell range (implicit intersection).
 */
export function needsArrayFormula(formula: string): boolean {
  if (!formula.includes(':') && !formula.includes('{')) return false;
  if (besideOperator.test(formula)) return true;
  for (const [piece] of formula.matchAll(pieces)) {
    const first = piece.charCodeAt(0);
    if (first !== 34 && first !== 39 && !takesRanges.has(piece.toUpperCase())) return true;
  }
  return false;
}
