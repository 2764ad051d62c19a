import type { FunctionDef } from './define.ts';
import { characterFunctions } from './text/characters.ts';
import { doubleByteFunctions } from './text/double-byte.ts';
import { numberTextFunctions } from './text/number-conversion.ts';
import { substringFunctions } from './text/substrings.ts';
import { regexFunctions } from './text/regex.ts';
import { splitFunctions } from './text/split.ts';
import { widthFunctions } from './text/character-width.ts';
import { valueToTextFunctions } from './text/value-to-text.ts';

export const textFunctions: readonly FunctionDef[] = [
  ...characterFunctions,
  ...substringFunctions,
  ...doubleByteFunctions,
  ...widthFunctions,
  ...numberTextFunctions,
  ...splitFunctions,
  ...regexFunctions,
  ...valueToTextFunctions,
];
