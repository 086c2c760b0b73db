import { ConfigurationError, isHash } from '../configuration-model/configuration.types.js';
import type { Hash, Problem, Value } from '../configuration-model/configuration.types.js';

/** A problem that also tells the keys which lead to it, so that its position in the file can be looked up. */
export interface KeywordProblem extends Problem {
  path: string[];
}

/** What may be set from outside. */
export interface KeywordOptions {
  /** How many jobs one job may need (`ci_needs_size_limit`); 50 without it. */
  needsLimit?: number | undefined;
}

/** The state of one reading, shared by all of its scopes. */
export interface Reading {
  errors: KeywordProblem[];
  warnings: KeywordProblem[];
  /** How many values of collections may still be read. */
  values: number;
  needsLimit: number;
}

/** Where a value stands, and how messages about it begin. */
export interface KeywordScope {
  reading: Reading;
  /** `jobs:x:image` */
  label: string;
  /** `jobs:x:image config`, or `jobs:x:image name` where a value is checked by what contains it. */
  title: string;
  path: readonly string[];
  /** The job's name, if this is inside of a job. */
  job: string | null;
}

/** At most this many errors, and as many warnings, are listed. */
const PROBLEM_LIMIT = 100;
const MESSAGE_LIMIT = 2000;
/** Aliases can make a small file endless once it is walked: more values than this are refused. */
const VALUE_LIMIT = 5_000_000;

/** Begins a reading. */
export function openReading(options: KeywordOptions = {}): Reading {
  return {
    errors: [],
    warnings: [],
    values: VALUE_LIMIT,
    needsLimit: options.needsLimit ?? 50,
  };
}

/** The scope of a keyword at the top of the file. */
export function openScope(reading: Reading, keyword: string): KeywordScope {
  return { reading, label: keyword, title: `${keyword} config`, path: [keyword], job: null };
}

/** The scope of a job. */
export function openJobScope(reading: Reading, job: string): KeywordScope {
  const label = `jobs:${job}`;
  return { reading, label, title: `${label} config`, path: [job], job };
}

/** The scope of a keyword inside, for messages like `jobs:x:image config …`. */
export function enterKey(at: KeywordScope, key: string): KeywordScope {
  const label = `${at.label}:${key}`;
  return { ...at, label, title: `${label} config`, path: [...at.path, key] };
}

/** The scope of an item of a list; the item has a name in messages and no key in the file. */
export function enterItem(at: KeywordScope, name: string): KeywordScope {
  const label = `${at.label}:${name}`;
  return { ...at, label, title: `${label} config` };
}

/** The scope of a keyword that the one around it checks, for messages like `jobs:x start in …`. */
export function enterAttribute(at: KeywordScope, key: string): KeywordScope {
  const title = `${at.label} ${key.replaceAll('_', ' ')}`;
  return { ...at, label: `${at.label}:${key}`, title, path: [...at.path, key] };
}

/** Notes an error `<title> <text>`, and answers undefined so that a reader can end with it. */
export function reject(at: KeywordScope, text: string): undefined {
  rejectWhole(at, `${at.title} ${text}`);
}

/** Notes an error with this text alone. */
export function rejectWhole(at: KeywordScope, message: string): undefined {
  addProblem(at.reading.errors, at, message);
}

/** Notes that a keyword cannot be used at all. */
export function rejectUnsupported(at: KeywordScope): undefined {
  rejectWhole(at, `${at.label} is not supported by this service`);
}

/** Notes that a keyword is allowed and does nothing. */
export function warnUnused(at: KeywordScope): void {
  warn(at, `${at.label} is accepted and has no effect in this service`);
}

/** Notes that a keyword is checked in full and not obeyed so far. */
export function warnPending(at: KeywordScope): void {
  warn(at, `${at.label} is read and checked, but this service does not obey it yet`);
}

/** Notes a warning. */
export function warn(at: KeywordScope, message: string): void {
  addProblem(at.reading.warnings, at, message);
}

/**
 * Counts values that are read.
 * @throws ConfigurationError once they are more than a configuration may hold.
 */
export function countValues(at: KeywordScope, count: number): void {
  at.reading.values -= count;
  if (at.reading.values < 0) throw new ConfigurationError('The parsed YAML is too big');
}

/** The value of a key; undefined when it is absent or blank (null), which means the same. */
export function pickValue(hash: Hash, key: string): Value | undefined {
  return (Object.hasOwn(hash, key) ? hash[key] : undefined) ?? undefined;
}

/** Whether a value is absent, or a text, list or hash without content. */
export function isBlank(value: Value | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return isHash(value) && Object.keys(value).length === 0;
}

function addProblem(list: KeywordProblem[], at: KeywordScope, message: string): void {
  if (list.length >= PROBLEM_LIMIT) return;
  const text = message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}…` : message;
  list.push({ message: text, path: [...at.path] });
}
