import { BadParams } from '../../shared/core/values/errors.js';

/** Parameters by name. Without a prototype, so that no name means anything to JavaScript. */
export type RequestParameters = Record<string, unknown>;

/** contract decision 21. */
export const MAX_DEPTH = 32;
export const MAX_KEYS = 10_000;

export const createParameterMap = (): RequestParameters => Object.create(null) as RequestParameters;
const isParameterMap = (value: unknown): value is RequestParameters =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === null;

export const tooManyKeys = () => new BadParams([`the request has more than ${MAX_KEYS} parameters`]);
export const tooDeep = () => new BadParams([`the parameters are nested deeper than ${MAX_DEPTH} levels`]);

/** Half of a surrogate pair: not well-formed, so every declared field that meets it is invalid. */
const UNDECODABLE = '\ud800';

/** Undoes percent-encoding once. Invalid UTF-8 becomes text that no parameter accepts. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return UNDECODABLE;
  }
}

/** `a[b][]` to `['a', 'b', '']`. A name with unbalanced brackets is used unchanged. */
function getSegments(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0) return [name];
  const segments = [name.slice(0, open)];
  for (let at = open; at < name.length;) {
    const close = name[at] === '[' ? name.indexOf(']', at) : -1;
    if (close < 0) return [name];
    segments.push(name.slice(at + 1, close));
    if (segments.length > MAX_DEPTH) throw tooDeep();
    at = close + 1;
  }
  return segments;
}

/** Whether a hash has a value at a path; below a list it never does, as a list takes any number. */
const holds = (node: unknown, [key, ...rest]: readonly string[]): boolean =>
  key === undefined || (isParameterMap(node) && key in node && holds(node[key], rest));

/** @returns false where the name contradicts an earlier one: `a=1&a[k]=2` */
function put(node: unknown, [key = '', ...rest]: readonly string[], value: unknown): boolean {
  const list = Array.isArray(node) ? (node as unknown[]) : null;
  if (list ? key !== '' : key === '' || !isParameterMap(node)) return false;
  const add = (item: unknown) => (list ? list.push(item) : ((node as RequestParameters)[key] = item), item);
  if (rest.length === 0) return (add(value), true);
  const last = list ? list.at(-1) : (node as RequestParameters)[key];
  // A list has a new element where its last one has such a value.
  const fits = list
    ? rest[0] !== '' && isParameterMap(last) && !holds(last, rest)
    : last !== undefined && last !== null;
  return put(fits ? last : add(rest[0] === '' ? [] : createParameterMap()), rest, value);
}

/**
 * Builds the parameters from name-value pairs in the order in which they arrived: `a[]=x` lists, `h[k]=v` hashes,
 * `a[0][k]=v` and `a[][k]=v` lists of hashes, where a new element starts when a key repeats (rest-conventions.md
 * section 1). If a plain name repeats, the last value wins.
 */
export class NestedParams {
  readonly parameters: RequestParameters = createParameterMap();
  #count = 0;

  /** @throws BadParams beyond the limits, and where names contradict each other */
  add(name: string, value: unknown): void {
    this.#count += 1;
    if (this.#count > MAX_KEYS) throw tooManyKeys();
    const path = getSegments(name);
    if (name !== '' && !put(this.parameters, path, value)) throw new BadParams([`${path[0]} is invalid`]);
  }
}

const decodePart = (text: string) => decodePercent(text.replaceAll('+', ' '));

/** A query string or a form as nested values. A name without `=` has no value: null. */
export function parseQuery(text: string): RequestParameters {
  const params = new NestedParams();
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    if (equals >= 0) params.add(decodePart(pair.slice(0, equals)), decodePart(pair.slice(equals + 1)));
    else if (pair !== '') params.add(decodePart(pair), null);
  }
  return params.parameters;
}
