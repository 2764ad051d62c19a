import type { BaseKind, FunctionDef } from '../../../../src/sheet/engine/functions/define.ts';
import { functionNamed, functionNames } from '../../../../src/sheet/engine/functions/index.ts';
import { kindAt } from '../../../../src/sheet/engine/formula/invoke.ts';

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
  { number: '1048576', text: 'REPT("*?",8000)&"x"', grid: 'SEQUENCE(2048,2048)', lambda: 'LAMBDA([a],[b],SEQUENCE(1000))' },
  { number: '1E+308*10', text: 'REPT("(a|ab|b)*",100)', grid: 'SEQUENCE(4194304)', lambda: 'LAMBDA([a],[b],REDUCE(0,SEQUENCE(1000),LAMBDA(x,y,x+y)))' },
  { number: '32767', text: 'REPT("1",32767)', grid: 'SEQUENCE(1,4194304,1E+15)', lambda: 'LAMBDA([a],[b],MAP(SEQUENCE(100),LAMBDA(x,SUM(SCAN(0,SEQUENCE(100),LAMBDA(p,q,p+q))))))' },
  // Lifted over arrays: every element is a call of its own.
  { number: 'SEQUENCE(100000)', text: 'M1:M20000', grid: 'REPT("a",SEQUENCE(1000)+30000)', lambda },
  { number: 'SEQUENCE(1000,,1E+300)', text: 'REPT("a?b*",SEQUENCE(1000)+7000)', grid: 'SEQUENCE(20000,,-10000,0.5)', lambda: 'LAMBDA([a],[b],MAKEARRAY(300,300,LAMBDA(x,y,x*y)))' },
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
  const args = Array.from({ length: count }, (_, index) => argument(kindAt(definition, index), extremes, index));
  // MAP takes its lambda as a plain value, in the last place.
  if (name === 'MAP') args[args.length - 1] = extremes.lambda;
  return `=${name}(${args.join(',')})`;
}

/** Every function, with each of the extremes in its shortest form and in one with optional and repeated arguments. */
export function functionCases(): Case[] {
  return functionNames().flatMap((name) => {
    const definition = functionNamed(name) as FunctionDef;
    const counts = new Set([definition.required, Math.min(definition.most, Math.max(definition.kinds.length, 2 * definition.group))]);
    const formulas = new Set(profiles.flatMap((extremes) => [...counts].map((count) => written(definition, name, extremes, count))));
    return [...formulas].map((formula) => ({ name, formula }));
  });
}
