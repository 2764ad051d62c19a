/** Units of CONVERT. Names tell capital letters apart. */

type Category =
  | 'mass'
  | 'length'
  | 'time'
  | 'pressure'
  | 'force'
  | 'energy'
  | 'power'
  | 'magnetism'
  | 'volume'
  | 'area'
  | 'information'
  | 'speed';

interface Unit {
  readonly category: Category | 'temperature';
  /** How much of the category's base unit one is. */
  readonly factor: number;
  /** Temperatures: the base reading is (x + shift) * factor. */
  readonly shift: number;
  /** Power of ten of a metric prefix counts this often; 0 when none is allowed. */
  readonly metric: 0 | 1 | 2 | 3;
}

const units = new Map<string, Unit>();

function add(category: Category, names: string, factor: number, metric: Unit['metric'] = 0): void {
  for (const name of names.split(' ')) units.set(name, { category, factor, shift: 0, metric });
}

function temperature(names: string, factor: number, shift: number, metric: Unit['metric'] = 0): void {
  for (const name of names.split(' ')) units.set(name, { category: 'temperature', factor, shift, metric });
}

const INCH = 0.0254;
const FOOT = 0.3048;
const YARD = 0.9144;
const MILE = 1609.344;
const NAUTICAL_MILE = 1852;
const ANGSTROM = 1e-10;
const LIGHT_YEAR = 9_460_730_472_580_800;
const POINT = INCH / 72;
const POUND = 453.59237;

add('mass', 'g', 1, 1);
add('mass', 'u', 1.660538782e-24, 1);
add('mass', 'sg', 14593.9029372064);
add('mass', 'lbm', POUND);
add('mass', 'ozm', POUND / 16);
add('mass', 'grain', POUND / 7000);
add('mass', 'cwt shweight', POUND * 100);
add('mass', 'uk_cwt lcwt hweight', POUND * 112);
add('mass', 'stone', POUND * 14);
add('mass', 'ton', POUND * 2000);
add('mass', 'uk_ton LTON brton', POUND * 2240);

add('length', 'm', 1, 1);
add('length', 'ang', ANGSTROM, 1);
add('length', 'ly', LIGHT_YEAR, 1);
add('length', 'parsec pc', 30_856_775_812_815_532, 1);
add('length', 'mi', MILE);
add('length', 'Nmi', NAUTICAL_MILE);
add('length', 'in', INCH);
add('length', 'ft', FOOT);
add('length', 'yd', YARD);
add('length', 'ell', 1.143);
add('length', 'Picapt Pica', POINT);
add('length', 'pica', INCH / 6);
add('length', 'survey_mi', 6_336_000 / 3937);

add('time', 'sec s', 1, 1);
add('time', 'mn min', 60);
add('time', 'hr', 3600);
add('time', 'day d', 86_400);
add('time', 'yr', 31_557_600);

add('pressure', 'Pa p', 1, 1);
add('pressure', 'atm at', 101_325, 1);
add('pressure', 'mmHg', 133.322, 1);
add('pressure', 'Torr', 101_325 / 760, 1);
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

const LITRE = 1e-3;
const GALLON = 231 * INCH ** 3;
const IMPERIAL_GALLON = 4.54609 * LITRE;
add('volume', 'l L lt', LITRE, 1);
add('volume', 'tsp', GALLON / 768);
add('volume', 'tspm', 5e-6);
add('volume', 'tbs', GALLON / 256);
add('volume', 'oz', GALLON / 128);
add('volume', 'cup', GALLON / 16);
add('volume', 'pt us_pt', GALLON / 8);
add('volume', 'uk_pt', IMPERIAL_GALLON / 8);
add('volume', 'qt', GALLON / 4);
add('volume', 'uk_qt', IMPERIAL_GALLON / 4);
add('volume', 'gal', GALLON);
add('volume', 'uk_gal', IMPERIAL_GALLON);
add('volume', 'barrel', GALLON * 42);
add('volume', 'bushel', 0.03523907016688);
add('volume', 'GRT regton', 100 * FOOT ** 3);
add('volume', 'MTON', 40 * FOOT ** 3);

/** Lengths that also name areas and volumes, written `ft2` or `ft^2`. */
const POWERS: readonly [name: string, length: number, metric: boolean][] = [
  ['ang', ANGSTROM, true],
  ['m', 1, true],
  ['ft', FOOT, false],
  ['in', INCH, false],
  ['ly', LIGHT_YEAR, false],
  ['mi', MILE, false],
  ['Nmi', NAUTICAL_MILE, false],
  ['Picapt', POINT, false],
  ['Pica', POINT, false],
  ['yd', YARD, false],
];
for (const [name, length, metric] of POWERS) {
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
add('speed', 'kn', NAUTICAL_MILE / 3600);
add('speed', 'admkn', (6080 * FOOT) / 3600);
add('speed', 'mph', MILE / 3600);

temperature('K kel', 1, 0, 1);
temperature('C cel', 1, 273.15);
temperature('F fah', 5 / 9, 459.67);
temperature('Rank', 5 / 9, 0);
temperature('Reau', 5 / 4, 273.15 * 0.8);

const METRIC: Readonly<Record<string, number>> = {
  Y: 24, Z: 21, E: 18, P: 15, T: 12, G: 9, M: 6, k: 3, h: 2, da: 1, e: 1,
  d: -1, c: -2, m: -3, u: -6, n: -9, p: -12, f: -15, a: -18, z: -21, y: -24,
};

const BINARY: Readonly<Record<string, number>> = { ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6, Zi: 7, Yi: 8 };

/** The unit of that name, with or without a prefix. */
function unitNamed(name: string): Unit | undefined {
  const plain = units.get(name);
  if (plain) return plain;
  return prefixed(name, 2) ?? prefixed(name, 1);
}

function prefixed(name: string, length: number): Unit | undefined {
  const prefix = name.slice(0, length);
  const unit = units.get(name.slice(length));
  if (!unit) return undefined;
  const thousands = BINARY[prefix];
  if (thousands !== undefined) {
    return unit.category === 'information' ? { ...unit, factor: unit.factor * 1024 ** thousands } : undefined;
  }
  const power = METRIC[prefix];
  if (power === undefined || unit.metric === 0) return undefined;
  return { ...unit, factor: unit.factor * Number(`1e${power * unit.metric}`) };
}

/** The value in the other unit; undefined when a unit is unknown or they measure different things. */
export function convertUnits(value: number, from: string, to: string): number | undefined {
  const source = unitNamed(from);
  const target = unitNamed(to);
  if (!source || !target || source.category !== target.category) return undefined;
  if (from === to) return value;
  if (source.category !== 'temperature') return (value * source.factor) / target.factor;
  return ((value + source.shift) * source.factor) / target.factor - target.shift;
}
