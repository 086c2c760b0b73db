import { enumOf, getTypes } from './description.js';
import type { Operation, Parameter, Schema } from './description.js';

/** The user's input for one parameter: text, selected options, or a file. */
export type Value = string | readonly string[] | File;

export type Values = Readonly<Record<string, Value>>;

/** The kind of input: a file, one or several options, a switch, or text. */
export type Kind = 'file' | 'choice' | 'choices' | 'switch' | 'text';

/** How a parameter with this schema is filled in. */
export function getKind(schema: Schema): Kind {
  if (schema.format === 'binary') return 'file';
  if (enumOf(schema)) return 'choice';
  if (schema.items && enumOf(schema.items)) return 'choices';
  return getTypes(schema).join() === 'boolean' ? 'switch' : 'text';
}

export const isFilled = (value: Value | undefined): value is Value =>
  value instanceof File || (value !== undefined && value.length > 0);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function numberIn(text: string): number | string {
  const number = Number(text);
  const isExact = Number.isSafeInteger(number) || /^-?\d+\.\d+$/.test(text);
  return text.trim() !== '' && isExact ? number : text;
}

function listIn(items: Schema, text: string): unknown {
  if (text.trim().startsWith('[')) return parsed(text);
  return text.split(',').map((part) => getJson(items, part.trim()));
}

/**
 * Converts an input to JSON by its schema. Text that does not match the schema stays a string, for the service to
 * validate.
 */
export function getJson(schema: Schema, value: Exclude<Value, File>): unknown {
  if (typeof value !== 'string') return value.map((one) => getJson(schema.items ?? {}, one));
  const chosen = enumOf(schema)?.find((one) => String(one) === value);
  if (chosen !== undefined) return chosen;
  const types = getTypes(schema);
  if (types.includes('array')) return listIn(schema.items ?? {}, value);
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (types.includes('integer') || types.includes('number')) return numberIn(value);
  return types.length === 0 || types.includes('object') ? parsed(value) : value;
}

/** The form value of a JSON value: the reverse of {@link getJson}. */
export function valueOf(schema: Schema, json: unknown): Value {
  if (json === undefined || json === null) return '';
  if (getKind(schema) === 'choices') return [json].flat().map(String);
  if (typeof json === 'object') return JSON.stringify(json);
  return String(json);
}

/** The values of a JSON body by field name; null if it is not an object. */
export function valuesIn({ body }: Operation, json: unknown): Values | null {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return null;
  const record = json as Record<string, unknown>;
  return Object.fromEntries((body?.fields ?? []).map(({ name, schema }) => [name, valueOf(schema, record[name])]));
}

/** A parameter with what was filled in. */
type FilledParameter = [Parameter, Value];

export const filledIn = (parameters: readonly Parameter[], values: Values): FilledParameter[] =>
  parameters.flatMap((parameter): FilledParameter[] => {
    const value = values[parameter.name];
    return isFilled(value) ? [[parameter, value]] : [];
  });

/** `a[]=1`, `a[key]=v`: a value as queries and forms write it (rest-conventions.md section 1). */
function pairsIn(name: string, json: unknown): [string, string][] {
  if (Array.isArray(json)) return json.flatMap((one) => pairsIn(`${name}[]`, one));
  if (json !== null && typeof json === 'object')
    return Object.entries(json).flatMap(([key, one]) => pairsIn(`${name}[${key}]`, one));
  return [[name, String(json)]];
}

/** A filled-in parameter as a query or a form has it. Single values are sent as they were typed. */
export function getPairs([{ name, schema }, value]: FilledParameter): [string, string | File][] {
  if (value instanceof File) return [[name, value]];
  const json = getJson(schema, value);
  return pairsIn(name.replace(/\[\]$/, ''), typeof json === 'object' ? json : value);
}
