import type { BaseKind, FunctionDef } from '../../src/functions/define.ts';
import { functionNamed, functionNames } from '../../src/functions/index.ts';
import { argumentKindAt } from '../../src/formula/compile-call.ts';

export interface Case {
  readonly name: string;
  readonly formula: string;
}

/** What each kind of argument is at its largest or strangest. `A:J` hold 100,000 rows of numbers, `L` and `M` texts. */
interface Extremes {
  readonly number: string;
  readonly text: string;
  readonly grid: string;
  readonly lambda: string;
}

const long = 'REPT("ab",16383)';
const lambda = 'LAMBDA([a],[b],[c],[d],SUM(a)+1)';

const profiles: readonly Extremes[] = [
  // The largest references, huge numbers, the longest texts.
  { number: '9E+307', text: long, grid: 'A1:J100000', lambda },
  { number: '-9E+307', text: 'L1', grid: 'A:XFD', lambda },
  { number: '2^53-1', text: 'REPT("?",16000)&"x"', grid: 'L1:M20000', lambda: 'LAMBDA([a],[b],REPT("x",32767))' },
  // Arrays of the largest size, and results that overflow.
  {
    number: '1048576',
    text: 'REPT("*?",8000)&"x"',
    grid: 'SEQUENCE(2048,2048)',
    lambda: 'LAMBDA([a],[b],SEQUENCE(1000))',
  },
  {
    number: '1E+308*10',
    text: 'REPT("(a|ab|b)*",100)',
    grid: 'SEQUENCE(4194304)',
    lambda: 'LAMBDA([a],[b],REDUCE(0,SEQUENCE(1000),LAMBDA(x,y,x+y)))',
  },
  {
    number: '32767',
    text: 'REPT("1",32767)',
    grid: 'SEQUENCE(1,4194304,1E+15)',
    lambda: 'LAMBDA([a],[b],MAP(SEQUENCE(100),LAMBDA(x,SUM(SCAN(0,SEQUENCE(100),LAMBDA(p,q,p+q))))))',
  },
  // Lifted over arrays: every element is a call of its own.
  { number: 'SEQUENCE(100000)', text: 'M1:M20000', grid: 'REPT("a",SEQUENCE(1000)+30000)', lambda },
  {
    number: 'SEQUENCE(1000,,1E+300)',
    text: 'REPT("a?b*",SEQUENCE(1000)+7000)',
    grid: 'SEQUENCE(20000,,-10000,0.5)',
    lambda: 'LAMBDA([a],[b],MAKEARRAY(300,300,LAMBDA(x,y,x*y)))',
  },
  { number: '1E-300', text: 'SEQUENCE(20000)', grid: 'L1:L20000', lambda },
];

function argument(kind: BaseKind, extremes: Extremes, index: number): string {
  switch (kind) {
    case 'number':
    case 'logical':
      return extremes.number;
    case 'text':
      return extremes.text;
    case 'scalar':
    case 'any':
      return index % 2 === 0 ? extremes.text : extremes.number;
    case 'ref':
      return extremes.grid.includes('(') ? 'A1:J100000' : extremes.grid;
    case 'lambda':
      return extremes.lambda;
    default:
      return extremes.grid;
  }
}

function written(definition: FunctionDef, name: string, extremes: Extremes, count: number): string {
  const args = Array.from({ length: count }, (_, index) =>
    argument(argumentKindAt(definition, index), extremes, index),
  );
  // MAP takes its lambda as a plain value, in the last place.
  if (name === 'MAP') args[args.length - 1] = extremes.lambda;
  return `=${name}(${args.join(',')})`;
}

/** Every function, with each of the extremes in its shortest form and in one with optional and repeated arguments. */
export function functionCases(): Case[] {
  return functionNames().flatMap((name) => {
    const definition = functionNamed(name) as FunctionDef;
    const counts = new Set([
      definition.required,
      Math.min(definition.most, Math.max(definition.kinds.length, 2 * definition.group)),
    ]);
    const formulas = new Set(
      profiles.flatMap((extremes) => [...counts].map((count) => written(definition, name, extremes, count))),
    );
    return [...formulas].map((formula) => ({ name, formula }));
  });
}

/** Scalars that numeric methods trip over. Each function is tried with a fixed choice of combinations of them. */
const scalars = [
  '0',
  '1',
  '-1',
  '0.5',
  '0.999999999',
  '1E-300',
  '1E-9',
  '2',
  '12',
  '100',
  '1000',
  '40000',
  '1E+6',
  '1E+10',
  '2^53-1',
  '1E+17',
  '1E+100',
  '9E+307',
  '-1E+10',
  'TRUE',
];
const texts = ['"a"', '"1/2/2020"', '"3+4i"', '"m"', '"*"', '""'];
const combinations = 24;

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function scalarCases(): Case[] {
  return functionNames().flatMap((name, place) => {
    const definition = functionNamed(name) as FunctionDef;
    const next = sequence(place + 1);
    const formulas = new Set<string>();
    for (let i = 0; i < combinations; i++) {
      const most = Math.min(definition.most, Math.max(definition.kinds.length, 2 * definition.group));
      const count = definition.required + next(most - definition.required + 1);
      const args = Array.from({ length: count }, (_, index) => {
        const kind = argumentKindAt(definition, index);
        if (kind === 'lambda') return lambda;
        if (kind === 'text' || (kind !== 'number' && next(6) === 0)) return texts[next(texts.length)]!;
        if (kind === 'grid' || kind === 'array' || kind === 'value')
          return next(3) === 0
            ? scalars[next(scalars.length)]!
            : `SEQUENCE(${[3, 50, 1000][next(3)]},,${scalars[next(scalars.length)]},${scalars[next(scalars.length)]})`;
        if (kind === 'ref') return 'A1:J1000';
        return scalars[next(scalars.length)]!;
      });
      formulas.add(`=${name}(${args.join(',')})`);
    }
    return [...formulas].map((formula) => ({ name, formula }));
  });
}

/** What was found to run on without end, and its neighbors. */
export const known: readonly Case[] = [
  '=LCM(SEQUENCE(1000))',
  '=GCD(SEQUENCE(4194304))',
  '=MULTINOMIAL(SEQUENCE(100000)*0+500)',
  '=BINOM.INV(9E+307,0.5,0.5)',
  '=REGEXEXTRACT(REPT("ab",16383),"(?:"&REPT("a|ab|b|",120)&"c)[yz]")',
  '=REGEXEXTRACT(REPT("ab",16383),"(a?b?){300}[yz]",1)',
  '=REGEXREPLACE(REPT("ab",16383),"a.*z|a","b")',
  '=REGEXTEST(REPT("a",SEQUENCE(1000)+31000),"(a?){500}a{500}[yz]")',
  '=SEARCH(REPT("?",16000)&"x",REPT("a",32767))',
  '=SEARCH(REPT("a?",8000)&"x",REPT("a",32767))',
  '=SEARCH(REPT("?a*",5000)&"x",REPT("a",32767))',
  '=SEARCH(REPT("~",32766)&"x",REPT("a",32767))',
  '=FIND(REPT("a",16000)&"b",REPT("a",32767))',
  '=SUBSTITUTE(REPT("a",32767),"b"&REPT("a",16000),"c")',
  '=COUNTIF(L1:L20000,REPT("?a*",5000)&"x")',
  '=SUM(XLOOKUP(SEQUENCE(20000),SEQUENCE(20000,,20000,-1),SEQUENCE(20000)))',
  '=SUM(XLOOKUP(SEQUENCE(20000),SEQUENCE(20000,,20000,-1),SEQUENCE(20000),0,-1))',
  '=SUM(VLOOKUP(SEQUENCE(20000),SEQUENCE(20000,2),2,FALSE))',
  '=SUM(MATCH(SEQUENCE(20000)&"*",L1:L20000,0))',
  '=SUM(HLOOKUP(SEQUENCE(20000),SEQUENCE(2,10000),2,FALSE))',
  '=COUNTA(TEXTSPLIT(REPT("ab",16383),CHAR(97+MOD(SEQUENCE(1000),26))&SEQUENCE(1000)))',
  '=COUNTA(TEXTSPLIT(REPT("a",32767),REPT("a",SEQUENCE(1000)+15000)&"b"))',
  '=TEXTBEFORE(REPT("ab",16383),SEQUENCE(10000)&"x")',
  '=TEXT(1,REPT("[$-",10000))',
  '=TEXT(SEQUENCE(100000),"yyyy-mm-dd hh:mm:ss.000")',
  '=SUM(MAP(SEQUENCE(2000,2000),LAMBDA(x,SUM(SEQUENCE(100)))))',
  '=REDUCE(0,SEQUENCE(4194304),LAMBDA(a,b,a+b))',
  '=REDUCE("",SEQUENCE(30000),LAMBDA(a,b,a&"x"))',
  '=SCAN(0,SEQUENCE(2048,2048),LAMBDA(a,b,SUM(SCAN(0,SEQUENCE(100),LAMBDA(c,d,c+d)))))',
  '=MAKEARRAY(2048,2048,LAMBDA(r,c,REPT("x",32767)&r&c))',
  '=ROWS(REDUCE(1,SEQUENCE(4000),LAMBDA(a,b,VSTACK(a,SEQUENCE(1000)))))',
  '=LET(f,LAMBDA(g,n,IF(n=0,0,g(g,n-1)+g(g,n-1))),f(f,300))',
  '=LET(f,LAMBDA(g,g(g)),f(f))',
  '=MMULT(SEQUENCE(1500,1500),SEQUENCE(1500,1500))',
  '=MINVERSE(SEQUENCE(1000,1000))',
  '=MDETERM(RANDARRAY(1000,1000))',
  '=PIVOTBY(SEQUENCE(20000),SEQUENCE(20000),SEQUENCE(20000),SUM)',
  '=GROUPBY(SEQUENCE(200000),SEQUENCE(200000),SUM)',
  '=FORECAST.ETS(1E+15,SEQUENCE(20000),SEQUENCE(20000))',
  '=FORECAST.ETS.CONFINT(1E+300,SEQUENCE(100),SEQUENCE(100))',
].map((formula) => ({ name: /^=([A-Z.]+)/.exec(formula)![1]!, formula }));
