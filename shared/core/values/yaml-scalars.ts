import { floatYaml11Tag, intYaml11Tag, NOT_RESOLVED } from 'js-yaml';

export type Scalar = null | boolean | number | string;

/** Longer ones are text. */
const LONGEST_NUMBER = 100;
const LONGEST_WORD = 'false'.length;

const CONSTANTS = new Map<string, null | boolean>([
  ['', null],
  ['~', null],
  ['null', null],
  ...['yes', 'true', 'on'].map((word): [string, boolean] => [word, true]),
  ...['no', 'false', 'off'].map((word): [string, boolean] => [word, false]),
]);

const NUMBER_BEGINS = /^[-+.\d]/;
const DECIMAL = /^([-+]?)([\d_]+)$/;
/** From here on, and below the other one, Ruby prints floating-point numbers with an exponent. */
const LARGE = 1e16;
const SMALL = 1e-4;

/** A floating-point number as Ruby prints it: `1.0`, `0.5`, `1.0e+20`, `Infinity`. */
function printFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= LARGE || (size < SMALL && size > 0)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e');
    const digits = exponent.slice(1).padStart(2, '0');
    return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${exponent[0]}${digits}`;
  }
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** A scalar as the public parser prints it, and as it becomes a key of a hash: null is the empty text. */
export function printScalar(value: Scalar): string {
  return value === null ? '' : String(value);
}

/** Text for an integer that JavaScript cannot hold. */
function printLargeInteger(text: string): string {
  const [, sign = '', digits = ''] = DECIMAL.exec(text) ?? [];
  return digits === '' ? text : `${sign === '-' ? '-' : ''}${digits.replaceAll('_', '')}`;
}

function readInteger(text: string, exact: boolean): number | string | undefined {
  const value = intYaml11Tag.resolve(text, false, intYaml11Tag.tagName);
  if (value === NOT_RESOLVED) return undefined;
  if (exact && !Number.isSafeInteger(value)) return printLargeInteger(text);
  // No negative zero.
  return value + 0;
}

function readFloat(text: string, exact: boolean): number | string | undefined {
  const value = floatYaml11Tag.resolve(text, false, floatYaml11Tag.tagName);
  if (value === NOT_RESOLVED) return undefined;
  const print = printFloat(value);
  return exact && (print !== String(value) || !Number.isFinite(value)) ? print : value;
}

function readNumber(text: string, exact: boolean): number | string | undefined {
  if (text.length > LONGEST_NUMBER || !NUMBER_BEGINS.test(text)) return undefined;
  return readInteger(text, exact) ?? readFloat(text, exact);
}

/**
 * The value of a scalar without quotes, in YAML 1.1 without dates: `yes`, `no`, `on`, `off`, `true`, `false` and `null`
 * in any case, `012`, `0x1f`, `0b11`, `1_000`, `12:30`. `y` and `n` are text.
 * @param exact numbers that would be printed otherwise than Ruby prints them (`1.0`, 20 digits) are text
 */
export function readPlainScalar(text: string, exact: boolean): Scalar {
  if (text.length <= LONGEST_WORD) {
    const word = CONSTANTS.get(text.toLowerCase());
    if (word !== undefined) return word;
  }
  return readNumber(text, exact) ?? text;
}

const CORE = 'tag:yaml.org,2002:';

/** The value of a scalar with a core tag, as `!!str 012`; undefined when it has none, or the tag is another. */
export function readTaggedScalar(tag: string, text: string, exact: boolean): Scalar | undefined {
  if (tag === `${CORE}str`) return text;
  const value = readPlainScalar(text, exact);
  if (tag === `${CORE}null`) return value === null ? null : undefined;
  if (tag === `${CORE}bool`) return typeof value === 'boolean' ? value : undefined;
  const isNumber = tag === `${CORE}int` || tag === `${CORE}float`;
  return isNumber && readNumber(text, exact) !== undefined ? value : undefined;
}
