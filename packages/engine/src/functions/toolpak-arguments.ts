import { toNumber } from '../base/coerce.ts';
import { CellError, cellErrors, type Scalar } from '../base/values.ts';
import type { Definition } from './define.ts';

/** Functions of Excel's Analysis ToolPak that return #N/A if a required argument is left empty between commas. */
const toolpakFunctions = new Set(
  (
    'ACCRINT ACCRINTM AMORDEGRC AMORLINC BESSELI BESSELJ BESSELK BESSELY BIN2HEX BIN2OCT COMPLEX CONVERT COUPDAYBS ' +
    'COUPDAYS COUPDAYSNC COUPNCD COUPNUM COUPPCD CUMIPMT CUMPRINC DEC2BIN DEC2HEX DEC2OCT DELTA DISC DOLLARDE DOLLARFR ' +
    'DURATION EDATE EFFECT EOMONTH ERF FVSCHEDULE GESTEP HEX2BIN HEX2OCT IMDIV IMPOWER IMSUB INTRATE MDURATION MROUND ' +
    'NETWORKDAYS NOMINAL OCT2BIN OCT2HEX ODDFPRICE ODDFYIELD ODDLPRICE ODDLYIELD PRICE PRICEDISC PRICEMAT QUOTIENT ' +
    'RANDBETWEEN RECEIVED SERIESSUM TBILLEQ TBILLPRICE TBILLYIELD WEEKNUM WORKDAY XIRR XNPV YEARFRAC YIELD YIELDDISC ' +
    'YIELDMAT'
  ).split(' '),
);

/**
 * For a function in `toolpakFunctions`, returns a definition in which a required argument left empty between commas
 * becomes #N/A, as in Excel. Returns any other definition unchanged.
 */
export function withEmptyArguments(definition: Definition): Definition {
  if (!toolpakFunctions.has(definition.name)) return definition;
  const whenEmpty = Object.fromEntries(
    Array.from({ length: definition.required }, (_, index) => [index, cellErrors.na]),
  );
  return { ...definition, options: { ...definition.options, whenEmpty } };
}

/**
 * Converts an argument of a function from Excel's Analysis ToolPak to a number. Throws #VALUE! for booleans, which
 * these functions reject, and a CellError for any other value that cannot be converted.
 */
export function strictNumber(value: Scalar): number {
  if (typeof value === 'boolean') throw cellErrors.value;
  const number = toNumber(value);
  if (number instanceof CellError) throw number;
  return number;
}

/** Converts an argument as `strictNumber` does, but returns `fallback` if it is omitted. */
export function strictOr(value: Scalar | undefined, fallback: number): number {
  return value === undefined ? fallback : strictNumber(value);
}

export function strictWhole(value: Scalar): number {
  return Math.trunc(strictNumber(value));
}
