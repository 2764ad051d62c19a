import { textOf } from '../../base/coerce.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber } from '../toolpak-arguments.ts';

/** A unit of CONVERT. Unit names are case-sensitive. */
interface Unit {
  readonly category: string;
  /** Size of the unit, in base units of its category. */
  readonly factor: number;
  /** For temperatures: the value in base units is (x + shift) * factor. */
  readonly shift: number;
  /** Power to which a metric prefix is raised (2 for areas, 3 for volumes); 0 if no prefix is allowed. */
  readonly metric: 0 | 1 | 2 | 3;
}

const units = new Map<string, Unit>();

function add(category: string, names: string, factor: number, metric: Unit['metric'] = 0): void {
  for (const name of names.split(' ')) units.set(name, { category, factor, shift: 0, metric });
}

function temperature(names: string, factor: number, shift: number, metric: Unit['metric'] = 0): void {
  for (const name of names.split(' ')) units.set(name, { category: 'temperature', factor, shift, metric });
}

const inch = 0.0254;
const foot = 0.3048;
const yard = 0.9144;
const mile = 1609.344;
const nauticalMile = 1852;
const angstrom = 1e-10;
const lightYear = 9_460_730_472_580_800;
const point = inch / 72;
const pound = 453.59237;

add('mass', 'g', 1, 1);
add('mass', 'u', 1.660538782e-24, 1);
add('mass', 'sg', 14593.9029372064);
add('mass', 'lbm', pound);
add('mass', 'ozm', pound / 16);
add('mass', 'grain', pound / 7000);
add('mass', 'cwt shweight', pound * 100);
add('mass', 'uk_cwt lcwt hweight', pound * 112);
add('mass', 'stone', pound * 14);
add('mass', 'ton', pound * 2000);
add('mass', 'uk_ton LTON brton', pound * 2240);

add('length', 'm', 1, 1);
add('length', 'ang', angstrom, 1);
add('length', 'ly', lightYear, 1);
add('length', 'parsec pc', 30_856_775_812_815_532, 1);
add('length', 'mi', mile);
add('length', 'Nmi', nauticalMile);
add('length', 'in', inch);
add('length', 'ft', foot);
add('length', 'yd', yard);
add('length', 'ell', 1.143);
add('length', 'Picapt Pica', point);
add('length', 'pica', inch / 6);
add('length', 'survey_mi', 6_336_000 / 3937);

add('time', 'sec s', 1, 1);
add('time', 'mn min', 60);
add('time', 'hr', 3600);
add('time', 'day d', 86_400);
add('time', 'yr', 31_557_600);

add('pressure', 'Pa p', 1, 1);
add('pressure', 'atm at', 101_325, 1);
add('pressure', 'mmHg', 133.322, 1);
add('pressure', 'Torr', 101_325 / 760);
add('pressure', 'psi', 6894.757293168362);

add('force', 'N', 1, 1);
add('force', 'dyn dy', 1e-5, 1);
add('force', 'pond', 9.80665e-3, 1);
add('force', 'lbf', 4.4482216152605);

add('energy', 'J', 1, 1);
add('energy', 'e', 1e-7, 1);
add('energy', 'c', 4.184, 1);
add('energy', 'cal', 4.1868, 1);
add('energy', 'eV ev', 1.602176487e-19, 1);
add('energy', 'Wh wh', 3600, 1);
add('energy', 'HPh hh', 2_684_519.537696172);
add('energy', 'flb', 1.3558179483314);
add('energy', 'BTU btu', 1055.05585262);

add('power', 'W w', 1, 1);
add('power', 'HP h', 745.6998715822702);
add('power', 'PS', 735.49875);

add('magnetism', 'T', 1, 1);
add('magnetism', 'ga', 1e-4, 1);

const liter = 1e-3;
const gallon = 231 * inch ** 3;
const imperialGallon = 4.54609 * liter;
add('volume', 'l L lt', liter, 1);
add('volume', 'tsp', gallon / 768);
add('volume', 'tspm', 5e-6);
add('volume', 'tbs', gallon / 256);
add('volume', 'oz', gallon / 128);
add('volume', 'cup', gallon / 16);
add('volume', 'pt us_pt', gallon / 8);
add('volume', 'uk_pt', imperialGallon / 8, 1);
add('volume', 'qt', gallon / 4);
add('volume', 'uk_qt', imperialGallon / 4);
add('volume', 'gal', gallon);
add('volume', 'uk_gal', imperialGallon);
add('volume', 'barrel', gallon * 42);
add('volume', 'bushel', 0.03523907016688);
add('volume', 'GRT regton', 100 * foot ** 3);
add('volume', 'MTON', 40 * foot ** 3);

/** Lengths that also define units of area and volume, written `ft2` or `ft^2`. */
const unitsWithPowers: readonly [name: string, length: number, metric: boolean][] = [
  ['ang', angstrom, true],
  ['m', 1, true],
  ['ft', foot, false],
  ['in', inch, false],
  ['ly', lightYear, false],
  ['mi', mile, false],
  ['Nmi', nauticalMile, false],
  ['Picapt', point, false],
  ['Pica', point, false],
  ['yd', yard, false],
];
for (const [name, length, metric] of unitsWithPowers) {
  add('area', `${name}2 ${name}^2`, length ** 2, metric ? 2 : 0);
  add('volume', `${name}3 ${name}^3`, length ** 3, metric ? 3 : 0);
}
add('area', 'ar', 100, 1);
add('area', 'ha', 10_000);
add('area', 'Morgen', 2500);
add('area', 'uk_acre', 4046.8564224);
add('area', 'us_acre', 4046.872609874252);

add('information', 'bit', 1, 1);
add('information', 'byte', 8, 1);

add('speed', 'm/s m/sec', 1, 1);
add('speed', 'm/h m/hr', 1 / 3600, 1);
add('speed', 'kn', nauticalMile / 3600);
add('speed', 'admkn', (6080 * foot) / 3600);
add('speed', 'mph', mile / 3600, 1);

temperature('K kel', 1, 0, 1);
temperature('C cel', 1, 273.15);
temperature('F fah', 5 / 9, 459.67);
temperature('Rank', 5 / 9, 0);
temperature('Reau', 5 / 4, 273.15 * 0.8);

/** Metric prefixes with their power of ten. */
const metricPrefixes = numbered(
  'Y:24 Z:21 E:18 P:15 T:12 G:9 M:6 k:3 h:2 da:1 e:1 d:-1 c:-2 m:-3 u:-6 n:-9 p:-12 f:-15 a:-18 z:-21 y:-24',
);

const binaryPrefixes = numbered('ki:1 Mi:2 Gi:3 Ti:4 Pi:5 Ei:6 Zi:7 Yi:8');

function numbered(table: string): ReadonlyMap<string, number> {
  return new Map(table.split(' ').map((one) => [one.split(':')[0]!, Number(one.split(':')[1])]));
}

/** Returns the unit with this name, which may start with a prefix; undefined if unknown. */
function unitNamed(name: string): Unit | undefined {
  const plain = units.get(name);
  if (plain) return plain;
  return prefixed(name, 2) ?? prefixed(name, 1);
}

function prefixed(name: string, length: number): Unit | undefined {
  const prefix = name.slice(0, length);
  const unit = units.get(name.slice(length));
  if (!unit) return undefined;
  const thousands = binaryPrefixes.get(prefix);
  if (thousands !== undefined) {
    return unit.category === 'information' ? { ...unit, factor: unit.factor * 1024 ** thousands } : undefined;
  }
  const power = metricPrefixes.get(prefix);
  if (power === undefined || unit.metric === 0) return undefined;
  return { ...unit, factor: unit.factor * Number(`1e${power * unit.metric}`) };
}

/**
 * Converts a value from one unit to another. Returns undefined if a unit is unknown or the units measure different
 * quantities.
 */
function convertUnits(value: number, from: string, to: string): number | undefined {
  const source = unitNamed(from);
  const target = unitNamed(to);
  if (!source || !target || source.category !== target.category) return undefined;
  if (from === to) return value;
  if (source.category !== 'temperature') return (value * source.factor) / target.factor;
  return ((value + source.shift) * source.factor) / target.factor - target.shift;
}

export const unitFunctions: readonly Definition[] = [
  define('CONVERT', 'any any any', (_call, value, from, to) => {
    return convertUnits(strictNumber(value), textOf(from), textOf(to)) ?? cellErrors.na;
  }),
];
