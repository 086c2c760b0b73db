import { EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';
import { YamlError } from './yaml-error.js';
import type { YamlErrorKind, YamlPosition } from './yaml-error.js';
import { printScalar, readPlainScalar, readTaggedScalar } from './yaml-scalars.js';
import type { Scalar } from './yaml-scalars.js';
import { readTagPrefixes, resolveTag } from './yaml-tags.js';

/** What `parseYaml` allows, with all defaults filled in. */
export interface BuildOptions {
  maxDepth: number;
  maxAliases: number;
  maxMergedKeys: number;
  maxSize: number;
  exactNumbers: boolean;
  tags: Readonly<Record<string, (value: unknown) => unknown>>;
  readText: (text: string) => string;
}

/** A key that stands more than once in one hash. */
export interface DuplicateKey {
  key: string;
  /** Offsets in the text. */
  first: number;
  second: number;
}

export interface Build {
  documents: unknown[];
  duplicates: DuplicateKey[];
  /** Keys that were copied by `<<`. */
  mergedKeys: number;
}

type Hash = Record<string, unknown>;
type Kind = 'scalar' | 'sequence' | 'mapping' | 'alias';

/** A value with its size when all aliases are followed. */
interface Part {
  kind: Kind;
  value: unknown;
  size: number;
  depth: number;
  /** Of a key: `<<`. */
  isMerge?: boolean;
}

interface Frame extends Part {
  kind: 'sequence' | 'mapping';
  value: unknown[] | Hash;
  tag: string;
  offset: number;
  anchor: string;
  /** Of a mapping: the key whose value is next, and where it stands. */
  key: Part | null;
  keyOffset: number;
  /** Of a mapping: where each key of its own stands. */
  keys: Map<string, number> | null;
}

/** What each value counts besides the characters of a text. */
const VALUE_SIZE = 8;
const CORE = 'tag:yaml.org,2002:';
const MOST_DUPLICATES = 100;

/** Where an event stands in the text: its tag or anchor, if any. */
export function findOffset(event: Event): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return 0;
  const own = event.type === EVENT_ID.SCALAR ? event.valueStart : event.start;
  const quotes = event.type === EVENT_ID.SCALAR && event.style !== SCALAR_STYLE.PLAIN ? 1 : 0;
  const offsets = [event.tagStart, event.anchorStart - 1, own - quotes].filter((offset) => offset >= 0);
  return offsets.length === 0 ? 0 : Math.min(...offsets);
}

function isHash(value: unknown): value is Hash {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === null;
}

/** The value of a scalar that has no tag. */
export function readScalar(text: string, event: ScalarEvent, options: BuildOptions): Scalar {
  const source = getScalarValue(text, event);
  const value = event.style === SCALAR_STYLE.PLAIN ? readPlainScalar(source, options.exactNumbers) : source;
  return typeof value === 'string' ? options.readText(value) : value;
}

/**
 * Makes values of the events of a text, in time in proportion to their number. Hashes have no prototype; an alias is
 * the same object as its anchor. A merge key overrides what stands before it in its hash, as the public parser does.
 * @throws YamlError
 */
export function buildValues(
  text: string,
  events: readonly Event[],
  options: BuildOptions,
  locate: (offset: number) => YamlPosition,
): Build {
  const build: Build = { documents: [], duplicates: [], mergedKeys: 0 };
  const frames: Frame[] = [];
  let anchors = new Map<string, Part | 'open'>();
  let tagPrefixes = new Map<string, string>();
  let root: Part | null = null;
  let aliases = 0;

  const fail = (kind: YamlErrorKind, reason: string, offset: number): never => {
    throw new YamlError(kind, reason, locate(offset));
  };
  const readAnchor = (event: ScalarEvent | SequenceEvent | MappingEvent | AliasEvent) =>
    event.anchorStart < 0 ? '' : text.slice(event.anchorStart, event.anchorEnd);
  const readTag = (event: ScalarEvent | SequenceEvent | MappingEvent) => {
    const raw = event.tagStart < 0 ? '' : text.slice(event.tagStart, event.tagEnd);
    return raw === '' || raw === '!' ? raw : resolveTag(raw, tagPrefixes);
  };
  const convert = (tag: string, value: unknown, offset: number): unknown => {
    const reader = Object.hasOwn(options.tags, tag) ? options.tags[tag] : undefined;
    const result = reader?.(value);
    return result === undefined ? fail('tag', `cannot read the tag ${tag} here`, offset) : result;
  };

  const merge = (frame: Frame, sources: readonly Hash[], offset: number) => {
    for (const source of sources) {
      for (const key of Object.keys(source)) {
        build.mergedKeys += 1;
        if (build.mergedKeys > options.maxMergedKeys) fail('too_big', 'too many merged keys', offset);
        (frame.value as Hash)[key] = source[key];
      }
    }
  };
  const addPair = (frame: Frame, key: Part, part: Part) => {
    if (key.isMerge) {
      const { value } = part;
      if (part.kind !== 'scalar' && isHash(value)) return merge(frame, [value], frame.keyOffset);
      // The first of several wins.
      const many = part.kind === 'sequence' && Array.isArray(value) ? (value as unknown[]) : null;
      if (many?.every(isHash)) return merge(frame, many.toReversed(), frame.keyOffset);
    }
    const name = printScalar(key.value as Scalar);
    const first = frame.keys?.get(name);
    if (first !== undefined && build.duplicates.length < MOST_DUPLICATES) {
      build.duplicates.push({ key: name, first, second: frame.keyOffset });
    }
    frame.keys?.set(name, frame.keyOffset);
    (frame.value as Hash)[name] = part.value;
  };
  const add = (part: Part, offset: number) => {
    const frame = frames.at(-1);
    if (frame === undefined) {
      root = part;
      return;
    }
    frame.size += part.size;
    frame.depth = Math.max(frame.depth, part.depth + 1);
    if (frame.size > options.maxSize) fail('too_big', 'too many values', offset);
    if (frame.depth > options.maxDepth) fail('too_big', 'nested too deeply', offset);
    if (frame.kind === 'sequence') (frame.value as unknown[]).push(part.value);
    else if (frame.key === null) {
      if (part.value !== null && typeof part.value === 'object') fail('syntax', 'a key must be a scalar', offset);
      frame.key = part;
      frame.keyOffset = offset;
    } else {
      const { key } = frame;
      frame.key = null;
      addPair(frame, key, part);
    }
  };

  const addScalar = (event: ScalarEvent) => {
    const offset = findOffset(event);
    const tag = readTag(event);
    let value: unknown;
    if (tag === '') value = readScalar(text, event, options);
    else {
      const source = options.readText(getScalarValue(text, event));
      if (tag === '!') value = source;
      else if (tag.startsWith(CORE)) {
        value = readTaggedScalar(tag, source, options.exactNumbers);
        if (value === undefined) fail('tag', `cannot read a value with the tag ${tag}`, offset);
      } else value = convert(tag, source, offset);
    }
    const size = VALUE_SIZE + (typeof value === 'string' ? value.length : 0);
    const part: Part = { kind: 'scalar', value, size, depth: 0, isMerge: value === '<<' && tag === '' };
    const anchor = readAnchor(event);
    if (anchor !== '') anchors.set(anchor, part);
    add(part, offset);
  };
  const open = (event: SequenceEvent | MappingEvent) => {
    const anchor = readAnchor(event);
    if (anchor !== '') anchors.set(anchor, 'open');
    const isMapping = event.type === EVENT_ID.MAPPING;
    frames.push({
      kind: isMapping ? 'mapping' : 'sequence',
      value: isMapping ? (Object.create(null) as Hash) : [],
      size: VALUE_SIZE,
      depth: 0,
      tag: readTag(event),
      offset: findOffset(event),
      anchor,
      key: null,
      keyOffset: 0,
      keys: isMapping ? new Map() : null,
    });
  };
  const close = () => {
    const frame = frames.pop();
    if (frame === undefined) {
      build.documents.push(root === null ? null : root.value);
      return;
    }
    const { kind, tag, offset, size, depth } = frame;
    const isPlain = tag === '' || tag === '!' || tag === (kind === 'mapping' ? `${CORE}map` : `${CORE}seq`);
    const part: Part = { kind, value: isPlain ? frame.value : convert(tag, frame.value, offset), size, depth };
    if (frame.anchor !== '') anchors.set(frame.anchor, part);
    add(part, offset);
  };
  const addAlias = (event: AliasEvent) => {
    const offset = findOffset(event);
    aliases += 1;
    if (aliases > options.maxAliases) fail('too_big', 'too many aliases', offset);
    const part = anchors.get(readAnchor(event));
    if (part === undefined) return fail('syntax', `Unknown alias: ${readAnchor(event)}`, offset);
    if (part === 'open') return fail('too_big', 'a value that holds itself', offset);
    add({ ...part, kind: part.kind === 'scalar' ? 'scalar' : 'alias', isMerge: false }, offset);
  };

  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR) addScalar(event);
    else if (event.type === EVENT_ID.POP) close();
    else if (event.type === EVENT_ID.ALIAS) addAlias(event);
    else if (event.type === EVENT_ID.DOCUMENT) {
      anchors = new Map();
      tagPrefixes = readTagPrefixes(event);
      root = null;
    } else open(event);
  }
  return build;
}
