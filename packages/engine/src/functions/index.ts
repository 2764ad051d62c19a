import { filterSortFunctions } from './array/filter-sort.ts';
import { groupFunctions } from './array/group.ts';
import { shapeFunctions } from './array/shape.ts';
import type { Definition, Family, FunctionDef } from './define.ts';
import { databaseFunctions } from './database.ts';
import { dayFunctions } from './date/dates.ts';
import { timeFunctions } from './date/times.ts';
import { workdayFunctions } from './date/workdays.ts';
import { betaFunctions } from './distributions/beta.ts';
import { discreteFunctions } from './distributions/discrete.ts';
import { gammaFunctions } from './distributions/gamma.ts';
import { testFunctions } from './distributions/hypothesis-tests.ts';
import { normalFunctions } from './distributions/normal.ts';
import { studentFunctions } from './distributions/student.ts';
import { complexFunctions } from './engineering/complex-functions.ts';
import { numberBaseFunctions } from './engineering/number-bases.ts';
import { specialFunctions } from './engineering/special.ts';
import { unitFunctions } from './engineering/units.ts';
import { annuityFunctions } from './financial/annuity.ts';
import { bondFunctions } from './financial/bonds.ts';
import { cashFlowFunctions } from './financial/cash-flow.ts';
import { couponFunctions } from './financial/coupons.ts';
import { depreciationFunctions } from './financial/depreciation.ts';
import { discountFunctions } from './financial/discount-securities.ts';
import { oddBondFunctions } from './financial/odd-bonds.ts';
import { priceConversionFunctions } from './financial/price-conversion.ts';
import { informationFunctions } from './information.ts';
import { lambdaFunctions } from './lambda.ts';
import { logicalFunctions } from './logical.ts';
import { matchFunctions } from './lookup/match.ts';
import { referenceFunctions } from './lookup/reference.ts';
import { conditionalSumFunctions } from './math/conditional-sums.ts';
import { elementaryFunctions } from './math/elementary.ts';
import { integerFunctions } from './math/integers.ts';
import { matrixFunctions } from './math/matrices.ts';
import { randomFunctions } from './math/random.ts';
import { roundingFunctions } from './math/rounding.ts';
import { subtotalFunctions } from './math/subtotal.ts';
import { sumFunctions } from './math/sums.ts';
import { averageFunctions } from './statistical/averages.ts';
import { correlationFunctions } from './statistical/correlation.ts';
import { countFunctions } from './statistical/counts.ts';
import { dispersionFunctions } from './statistical/dispersion.ts';
import { smoothingFunctions } from './statistical/exponential-smoothing.ts';
import { orderStatisticFunctions } from './statistical/order-statistics.ts';
import { probabilityFunctions } from './statistical/probability.ts';
import { regressionFunctions } from './statistical/regression.ts';
import { widthFunctions } from './text/character-width.ts';
import { characterFunctions } from './text/characters.ts';
import { doubleByteFunctions } from './text/double-byte.ts';
import { numberTextFunctions } from './text/number-conversion.ts';
import { regexFunctions } from './text/regex.ts';
import { splitFunctions } from './text/split.ts';
import { joiningFunctions } from './text/joining.ts';
import { substringFunctions } from './text/substrings.ts';
import { valueToTextFunctions } from './text/value-to-text.ts';
import { withEmptyArguments } from './toolpak-arguments.ts';

/** All functions by family. A new file of functions must be added here. */
const families: Readonly<Record<Family, readonly (readonly Definition[])[]>> = {
  math: [
    elementaryFunctions,
    roundingFunctions,
    integerFunctions,
    sumFunctions,
    conditionalSumFunctions,
    subtotalFunctions,
    matrixFunctions,
    randomFunctions,
  ],
  engineering: [numberBaseFunctions, complexFunctions, specialFunctions, unitFunctions],
  date: [dayFunctions, timeFunctions, workdayFunctions],
  statistical: [
    averageFunctions,
    countFunctions,
    dispersionFunctions,
    orderStatisticFunctions,
    correlationFunctions,
    regressionFunctions,
    smoothingFunctions,
    probabilityFunctions,
  ],
  distributions: [normalFunctions, studentFunctions, gammaFunctions, betaFunctions, discreteFunctions, testFunctions],
  financial: [
    annuityFunctions,
    cashFlowFunctions,
    depreciationFunctions,
    couponFunctions,
    bondFunctions,
    oddBondFunctions,
    discountFunctions,
    priceConversionFunctions,
  ],
  database: [databaseFunctions],
  text: [
    characterFunctions,
    substringFunctions,
    joiningFunctions,
    doubleByteFunctions,
    widthFunctions,
    numberTextFunctions,
    splitFunctions,
    regexFunctions,
    valueToTextFunctions,
  ],
  lookup: [matchFunctions, referenceFunctions],
  array: [shapeFunctions, filterSortFunctions, groupFunctions],
  logical: [logicalFunctions],
  information: [informationFunctions],
  lambda: [lambdaFunctions],
};

const byName = new Map<string, FunctionDef>();
for (const [family, lists] of Object.entries(families)) {
  for (const definition of lists.flat()) {
    const known = { ...withEmptyArguments(definition), family: family as Family };
    for (const name of [definition.name, ...(definition.options.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`function ${name} is defined twice`);
      byName.set(name, known);
    }
  }
}

/** Returns the function with this upper-case name or alias (without `_xlfn.`), or undefined. */
export function functionNamed(name: string): FunctionDef | undefined {
  return byName.get(name);
}

export function functionNames(): string[] {
  return [...byName.keys()];
}
