import { arrayFunctions } from './array.ts';
import { databaseFunctions } from './database.ts';
import { dateFunctions } from './date.ts';
import { distributionsFunctions } from './distributions.ts';
import { engineeringFunctions } from './engineering.ts';
import { financialFunctions } from './financial.ts';
import { informationFunctions } from './information.ts';
import { lambdaFunctions } from './lambda.ts';
import { logicalFunctions } from './logical.ts';
import { lookupFunctions } from './lookup.ts';
import { mathFunctions } from './math.ts';
import { statisticalFunctions } from './statistical.ts';
import { textFunctions } from './text.ts';
import type { FunctionDef } from './define.ts';

const families = [
  mathFunctions,
  engineeringFunctions,
  dateFunctions,
  statisticalFunctions,
  distributionsFunctions,
  financialFunctions,
  databaseFunctions,
  textFunctions,
  lookupFunctions,
  arrayFunctions,
  logicalFunctions,
  informationFunctions,
  lambdaFunctions,
];

const byName = new Map<string, FunctionDef>();
for (const family of families) {
  for (const definition of family) {
    for (const name of [definition.name, ...(definition.options.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`function ${name} is defined twice`);
      byName.set(name, definition);
    }
  }
}

/** Finds a function by its upper-case name without `_xlfn.`, or by an alias. */
export function functionNamed(name: string): FunctionDef | undefined {
  return byName.get(name);
}

export function functionNames(): string[] {
  return [...byName.keys()];
}
