import { isDeepStrictEqual } from 'node:util';
import type { Value } from '../configuration-model/configuration.types.js';
import type { InputSpec, InputType } from './input-specs.js';
import { matchInput } from './input-regex.js';

const TYPE_NAMES: Record<InputType, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
};

const LARGE_INTEGER = /^-?\d{16,}$/;
const PRINTED_FLOAT = /^-?\d+\.\d+(?:e[-+]\d+)?$/;

/** Whether a text stands for a number of a file that JavaScript would print otherwise, as `1.0` (`exactNumbers`). */
function isPrintedNumber(text: string): boolean {
  return (LARGE_INTEGER.test(text) || PRINTED_FLOAT.test(text)) && String(Number(text)) !== text;
}

function hasType(value: Value, type: InputType): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'number' && typeof value === 'string') return isPrintedNumber(value);
  return typeof value === type;
}

function describeValue(value: Value): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** The first problem with the options of an input. */
function checkOptions({ type, options }: InputSpec, value: Value): string | undefined {
  if (options === undefined) return undefined;
  if (type === 'boolean') return 'Options can only be used with string and number inputs';
  const list = type === 'number' ? 'list of the allowed options' : 'list of allowed options';
  const items = Array.isArray(value) ? value : [value];
  const other = items.find((one) => !options.some((option) => isDeepStrictEqual(option, one)));
  if (other === undefined) return undefined;
  return `\`${describeValue(other)}\` cannot be used because it is not in the ${list}`;
}

function checkRegex({ type, regex }: InputSpec, value: Value, origin: string): string | undefined {
  if (regex === undefined) return undefined;
  if (type !== 'string' || typeof value !== 'string') return 'RegEx validation can only be used with string inputs';
  const isMatch = matchInput(regex, value);
  if (isMatch === undefined) return 'invalid regular expression';
  return isMatch ? undefined : `${origin} value does not match required RegEx pattern`;
}

/** The problem with a value for an input, without the input's name; undefined when it can be used. */
export function checkInput(spec: InputSpec, value: Value, origin: 'default' | 'provided'): string | undefined {
  if (!hasType(value, spec.type)) return `${origin} value is not ${TYPE_NAMES[spec.type]}`;
  return checkOptions(spec, value) ?? checkRegex(spec, value, origin);
}
