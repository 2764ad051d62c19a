import { describe, expect, it } from 'vitest';
import { BudgetExceeded } from '../src/base/budget.ts';
import { FormulaSyntaxError } from '../src/formula/token.ts';
import { functionNames } from '../src/functions/index.ts';
import { WorkbookCore } from '../src/workbook/workbook-core.ts';

/** `SHEAF_FUZZ=1000000` for the long run, `SHEAF_FUZZ_SEED` for another one. */
const caseCount = Number(process.env['SHEAF_FUZZ'] ?? 20_000);
const firstSeed = Number(process.env['SHEAF_FUZZ_SEED'] ?? 1);
const batch = 500;

class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 1) >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

const names = functionNames();
const tokens = [
  '+',
  '-',
  '*',
  '/',
  '^',
  '&',
  '=',
  '<',
  '>',
  '<=',
  '>=',
  '<>',
  '%',
  '@',
  '#',
  '(',
  ')',
  '{',
  '}',
  ',',
  ';',
  ':',
  '!',
  '[',
  ']',
  '$',
  "'",
  '"',
  ' ',
  '\n',
  'A1',
  '$B$2',
  'C$3',
  'A1:B2',
  'A:A',
  '1:3',
  'XFD1048576',
  'XFE1',
  'A0',
  'Sheet1!A1',
  "'My Sheet'!B2",
  'Missing!A1',
  'Sheet1:Two!A1',
  '[Book]Sheet!A1',
  '#REF!',
  '#N/A',
  '#DIV/0!',
  '1',
  '0',
  '.5',
  '1e3',
  '1e999',
  '-0',
  '1.5.2',
  '00012',
  'TRUE',
  'false',
  '"text"',
  '""',
  '"a""b"',
  '"',
  'name_1',
  'known',
  'x',
  'Table1[a]',
  'Table1[[#All],[b]]',
  '_xlfn.',
  '_xlpm.x',
  'LET(',
  'LAMBDA(',
  'IF(',
  'SUM(',
  'INDIRECT(',
  'OFFSET(',
  'SEQUENCE(',
  '{1,2;3,4}',
  '{1,2',
  '\u00e9',
  '\u4e2d\u6587',
  '\ud83d\ude00',
  '\ud83d',
  '\u0000',
  '\u00a0',
  '~',
  '`',
  '?',
  '\\',
  '_',
  '.',
  '|',
];

const valid = [
  '=A1*2+B1',
  '=SUM(A$1:A9)',
  '=IF(A1>0,"yes","no")',
  '=VLOOKUP(B1,$A$1:$C$9,2,FALSE)',
  '=SUMIFS(C:C,A:A,"x",B:B,">5")',
  "='My Sheet'!A1+Sheet1!$B2",
  '=LET(x,1,y,x+1,x*y)',
  '=MAP(SEQUENCE(3),LAMBDA(a,a^2))',
  '=LAMBDA(a,[b],IF(ISOMITTED(b),a,a+b))(1)',
  '=INDEX(A1:C9,MATCH(2,A1:A9,0),2)',
  '={1,2;"a",TRUE}',
  '=SUM((A1:B2,C3))',
  '=A1:C3 B2:D4',
  '=@A1:A9',
  '=A1#',
  '=-2^2%',
  '=1.5E+3&"t"',
  '=TEXT(A1,"#,##0.00")',
  '=XLOOKUP(1,A:A,B:B,"none",0,1)',
  '=TEXTJOIN(", ",TRUE,A1:A9)',
  '=FILTER(A1:B9,A1:A9>1)',
  '=known+1',
  '=SUM(Sheet1:Two!A1)',
  '=#REF!+#N/A',
  '=REGEXEXTRACT("abc","b.")',
  '=DATE(2024,2,29)+TIME(1,2,3)',
  '=OFFSET(A1,1,1,2,2)',
  '=INDIRECT("R1C1",FALSE)',
  '=COUNTIF(A1:A9,"*a?~*")',
  '=REDUCE(0,A1:A9,LAMBDA(t,v,t+v))',
];

const argumentTexts = [
  '1',
  '-1',
  '0',
  '0.5',
  '1e9',
  '"a"',
  '""',
  'TRUE',
  'A1',
  'A1:B3',
  '{1,2;3,4}',
  '#N/A',
  '',
  '"2024-01-31"',
  '45000',
  'LAMBDA(a,a)',
  'LAMBDA(a,b,a+b)',
  'SEQUENCE(3)',
  '"[a"',
  '-1e300',
  '1e-300',
  'known',
  '(A1,B2)',
];

function soup(dice: Dice): string {
  let text = '=';
  for (let n = dice.below(14); n >= 0; n--) text += dice.pick(tokens);
  return text;
}

function mutated(dice: Dice): string {
  let text = dice.pick(valid);
  for (let n = dice.below(4); n >= 0; n--) {
    const at = dice.below(text.length + 1);
    const end = at + dice.below(4);
    switch (dice.below(5)) {
      case 0:
        text = text.slice(0, at) + text.slice(end);
        break;
      case 1:
        text = text.slice(0, at) + dice.pick(tokens) + text.slice(at);
        break;
      case 2:
        text = text.slice(0, at) + dice.pick(tokens) + text.slice(end);
        break;
      case 3:
        text = text.slice(0, at) + dice.pick(valid).slice(dice.below(9)) + text.slice(at);
        break;
      default:
        text = text.slice(0, at) + String.fromCharCode(dice.below(dice.below(2) === 0 ? 128 : 65_536)) + text.slice(at);
    }
  }
  return text;
}

/** A call that reads well: any function with any arguments, sometimes of calls. */
function call(dice: Dice, depth: number): string {
  const args = Array.from({ length: dice.below(6) }, () =>
    depth > 0 && dice.below(4) === 0 ? call(dice, depth - 1) : dice.pick(argumentTexts),
  );
  return `${dice.pick(names)}(${args.join(',')})`;
}

function formula(dice: Dice): string {
  const kind = dice.below(3);
  return kind === 0 ? soup(dice) : kind === 1 ? mutated(dice) : `=${call(dice, 2)}`;
}

function freshBook(): WorkbookCore {
  const workbook = new WorkbookCore();
  const sheet = workbook.addSheet('Sheet1');
  workbook.addSheet('Two');
  workbook.addSheet('My Sheet');
  [1, 'x', true, null, 45_000.5, -3, 'a*', 0].forEach((value, row) => workbook.setValue(sheet, row, 0, value));
  [2, 'y', 3].forEach((value, row) => workbook.setValue(sheet, row, 1, value));
  workbook.defineName('known', '=$A$1+1');
  workbook.recalc();
  return workbook;
}

/** What went wrong with one text, or nothing. */
function fault(workbook: WorkbookCore, text: string, where: number): string | undefined {
  const [sheet] = workbook.sheets;
  if (!sheet) return 'no sheet';
  try {
    workbook.setFormula(sheet, 20, 3, text);
  } catch (error) {
    if (!(error instanceof FormulaSyntaxError)) return `thrown while reading: ${String(error)}`;
    const inside = error.position >= 0 && error.position <= text.length;
    return inside ? undefined : `position ${error.position} of ${text.length}`;
  }
  const printed = workbook.formulaText(sheet.id, 20, 3) ?? '';
  try {
    workbook.setFormula(sheet, 20, 3, printed);
    const again = workbook.formulaText(sheet.id, 20, 3);
    if (again !== printed) return `printed as ${printed}, then as ${again}`;
    workbook.recalc({ now: 45_000.5, seed: where, limit: 200_000 });
  } catch (error) {
    if (!(error instanceof BudgetExceeded))
      return `thrown while computing ${printed}: ${error instanceof Error ? error.stack?.slice(0, 400) : String(error)}`;
  }
  workbook.setValue(sheet, 20, 3, null);
  return undefined;
}

describe('fuzzed formula text', () => {
  it(
    `${caseCount} strings are computed or refused with a syntax error, never anything else`,
    () => {
      const dice = new Dice(firstSeed);
      const faults: string[] = [];
      let workbook = freshBook();
      for (let i = 0; i < caseCount && faults.length < 20; i++) {
        if (i % batch === 0) workbook = freshBook();
        const text = formula(dice);
        const found = fault(workbook, text, i);
        if (found === undefined) continue;
        faults.push(`${JSON.stringify(text)}: ${found}`);
        workbook = freshBook();
      }
      expect(faults).toEqual([]);
    },
    60_000 + caseCount * 5,
  );
});
