import type { FunctionDef } from './define.ts';
import { characterFunctions } from './text/characters.ts';
import { doubleByteFunctions } from './text/double-byte.ts';
import { numberTextFunctions } from './text/numbers.ts';
import { partFunctions } from './text/parts.ts';
import { regexFunctions } from './text/regex.ts';
import { splitFunctions } from './text/split.ts';
import { widthFunctions } from './text/width.ts';
import { writtenFunctions } from './text/written.ts';

export const textFunctions: readonly FunctionDef[] = [
  ...characterFunctions,
  ...partFunctions,
  ...doubleByteFunctions,
  ...widthFunctions,
  ...numberTextFunctions,
  ...splitFunctions,
  ...regexFunctions,
  ...writtenFunctions,
];
