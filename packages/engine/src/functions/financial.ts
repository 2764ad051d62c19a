import type { FunctionDef } from './define.ts';
import { annuityFunctions } from './financial/annuity.ts';
import { bondFunctions } from './financial/bonds.ts';
import { cashFlowFunctions } from './financial/cash-flow.ts';
import { couponFunctions } from './financial/coupons.ts';
import { depreciationFunctions } from './financial/depreciation.ts';
import { discountFunctions } from './financial/discount-securities.ts';
import { oddBondFunctions } from './financial/odd-bonds.ts';
import { priceConversionFunctions } from './financial/price-conversion.ts';

export const financialFunctions: readonly FunctionDef[] = [
  ...annuityFunctions,
  ...cashFlowFunctions,
  ...depreciationFunctions,
  ...couponFunctions,
  ...bondFunctions,
  ...oddBondFunctions,
  ...discountFunctions,
  ...priceConversionFunctions,
];
