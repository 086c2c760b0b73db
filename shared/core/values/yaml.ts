import { EVENT_ID, parseEvents, YAMLException } from 'js-yaml';
import type { Event } from 'js-yaml';
import { buildValues, findOffset, readScalar } from './yaml-build.js';
import type { BuildOptions, DuplicateKey } from './yaml-build.js';
import { YamlError } from './yaml-error.js';
import type { YamlPosition } from './yaml-error.js';
import { createPositions } from './yaml-positions.js';
import { printScalar } from './yaml-scalars.js';

export { YamlError } from './yaml-error.js';
export { printScalar } from './yaml-scalars.js';

/** The limits and readers of `parseYaml`. */
export interface YamlOptions {
  /** Lists and hashes inside each other, also by aliases. Default 100. */
  maxDepth?: number;
  /** Uses of anchors, in the whole text. Default 10,000. */
  maxAliases?: number;
  /** Keys that come from `<<`, in the whole text. Default 100,000. */
  maxMergedKeys?: number;
  /** The size of a document once all aliases are followed: its texts' characters, and 8 for each value. 8 MiB. */
  maxSize?: number;
  /** Numbers that JavaScript would print otherwise (`1.0`, 20 digits) become text, as Ruby prints them. */
  exactNumbers?: boolean;
  /** Local tags, such as `!reference`, with functions that read their values; undefined refuses a value. */
  tags?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Changes each text that was read, keys included. */
  readText?: (text: string) => string;
}

/** A key that stands more than once in one hash; the later one counts. */
interface Duplicate {
  key: string;
  first: YamlPosition;
  second: YamlPosition;
}

/** A text that was read. */
export interface YamlFile {
  /** One value for each document; a blank text has none. Hashes have no prototype; aliases share their objects. */
  documents: unknown[];
  /** At most 100. */
  duplicates: Duplicate[];
  /** About the bytes of memory that all of it takes, without the text. */
  memory: number;
  /**
   * Where a key (or the item of a list, by number) stands in a document. When the file does not have the rest of the
   * path, because it comes from an alias for instance, the position of what it has; undefined without the first one.
   */
  locate: (document: number, path: readonly (string | number)[]) => YamlPosition | undefined;
}

const MAX_DEPTH = 100;
const MAX_ALIASES = 10_000;
const MAX_MERGED_KEYS = 100_000;
const MAX_SIZE = 8 * 1024 * 1024;
/** Of an event with what becomes of it, as measured. */
const BYTES_OF_EVENT = 160;
/** Of a key that `<<` copies, which has no event. */
const BYTES_OF_MERGED_KEY = 64;

const TOO_DEEP = /^nesting exceeded maxDepth/;

function readEvents(text: string, maxDepth: number): Event[] {
  try {
    // A document is one level itself.
    return parseEvents(text, { maxDepth: maxDepth + 1 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const position = { line: (mark?.line ?? 0) + 1, column: (mark?.column ?? 0) + 1 };
    throw new YamlError(TOO_DEEP.test(reason) ? 'too_big' : 'syntax', reason, position);
  }
}

/** The index of the event after a value. */
function skipValue(events: readonly Event[], start: number): number {
  let depth = 0;
  let at = start;
  do {
    const type = events[at]?.type;
    if (type === EVENT_ID.POP) depth -= 1;
    else if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth += 1;
    at += 1;
  } while (depth > 0 && at < events.length);
  return at;
}

interface Child {
  offset: number;
  /** The index of the event with which its value begins. */
  value: number;
}

/** The keys of a hash, or the numbers of a list; nothing for a scalar. Of a key that is repeated the last one. */
function readChildren(text: string, events: readonly Event[], start: number, options: BuildOptions) {
  const children = new Map<string, Child>();
  const type = events[start]?.type;
  if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return children;
  let at = start + 1;
  for (let number = 0; ; number += 1) {
    const event = events[at];
    if (event === undefined || event.type === EVENT_ID.POP) return children;
    const value = type === EVENT_ID.MAPPING ? skipValue(events, at) : at;
    const isKey = type === EVENT_ID.MAPPING && event.type === EVENT_ID.SCALAR;
    const name = isKey ? printScalar(readScalar(text, event, options)) : String(number);
    if (isKey || type === EVENT_ID.SEQUENCE) children.set(name, { offset: findOffset(event), value });
    at = skipValue(events, value);
  }
}

/** A function that finds keys in documents; each hash is read once, when it is first needed. */
function createLocate(
  text: string,
  events: readonly Event[],
  options: BuildOptions,
  findPosition: (offset: number) => YamlPosition,
): YamlFile['locate'] {
  const hashes = new Map<number, Map<string, Child>>();
  let starts: number[] | undefined;
  return (document, path) => {
    starts ??= events.flatMap(({ type }, index) => (type === EVENT_ID.DOCUMENT ? [index + 1] : []));
    let at = starts[document];
    let offset: number | undefined;
    for (const name of path) {
      if (at === undefined) break;
      const children: Map<string, Child> = hashes.get(at) ?? readChildren(text, events, at, options);
      hashes.set(at, children);
      const child = children.get(String(name));
      if (child === undefined) break;
      ({ offset } = child);
      at = child.value;
    }
    return offset === undefined ? undefined : findPosition(offset);
  };
}

/**
 * Reads a text as YAML 1.1, in the way of the public CI parser: `yes`, `no`, `on`, `off` are booleans, `y` and `n` are
 * text, `012` is octal, dates are text, `<<` merges (and overrides what stands before it), the last of several equal
 * keys wins. Tags are the core ones and those of the caller. Takes time in proportion to the length of the text.
 * @throws YamlError
 */
export function parseYaml(text: string, options: YamlOptions = {}): YamlFile {
  const all: BuildOptions = {
    maxDepth: options.maxDepth ?? MAX_DEPTH,
    maxAliases: options.maxAliases ?? MAX_ALIASES,
    maxMergedKeys: options.maxMergedKeys ?? MAX_MERGED_KEYS,
    maxSize: options.maxSize ?? MAX_SIZE,
    exactNumbers: options.exactNumbers ?? false,
    tags: options.tags ?? {},
    readText: options.readText ?? ((value) => value),
  };
  const events = readEvents(text, all.maxDepth);
  const findPosition = createPositions(text);
  const { documents, duplicates, mergedKeys } = buildValues(text, events, all, findPosition);
  return {
    documents,
    duplicates: duplicates.map(({ key, first, second }: DuplicateKey) => ({
      key,
      first: findPosition(first),
      second: findPosition(second),
    })),
    memory: events.length * BYTES_OF_EVENT + mergedKeys * BYTES_OF_MERGED_KEY,
    locate: createLocate(text, events, all, findPosition),
  };
}
