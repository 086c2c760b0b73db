import { pathPattern, WorkBudget } from './path-pattern.js';
import type { PathPattern } from './path-pattern.js';

/** Attributes of a file from `.gitattributes`; unset where not specified. */
export interface LanguageAttributes {
  vendored?: boolean | undefined;
  generated?: boolean | undefined;
  documentation?: boolean | undefined;
  /** Whether it counts, whatever its language is. */
  detectable?: boolean | undefined;
  /** Name of the language it is in. */
  language?: string | undefined;
}

interface Rule<S> {
  folder: string;
  matches: PathPattern;
  attributes: S;
}

/** Adds the attribute of one token after a pattern, such as `-diff`. */
export type Saying<S> = (word: string, attributes: S) => void;

interface AttributesFile {
  path: string;
  text: string;
}

/** How much of attributes is read. */
export interface AttributeBounds {
  /** Number of rules to read: each is checked for each file. */
  rules: number;
  /** Total number of characters of patterns and paths to compare; files beyond that have no attributes. */
  steps: number;
}

/** Rules beyond so many are not read, nor lines beyond so many, nor those that are longer, which git passes over too. */
const MOST_RULES = 200;
const MOST_LINES = 10_000;
const LONGEST_LINE = 2048;
const MOST_STEPS = 200_000_000;
const FLAGS = ['vendored', 'generated', 'documentation', 'detectable'] as const;

/** `linguist-vendored`, `-linguist-vendored`, `!linguist-vendored` and `linguist-language=Ruby` in their parts. */
export function partsOfWord(word: string): { sign: '' | '-' | '!'; name: string; value: string | undefined } {
  const first = word.charAt(0);
  const sign = first === '-' || first === '!' ? first : '';
  const [name = '', ...rest] = word.slice(sign.length).split('=');
  return { sign, name, value: rest.length > 0 ? rest.join('=') : undefined };
}

function saying(word: string, attributes: LanguageAttributes): void {
  const { sign, name, value } = partsOfWord(word);
  const flag = FLAGS.find((candidate) => name === `linguist-${candidate}`);
  if (flag) attributes[flag] = sign === '!' ? undefined : sign === '' && value !== 'false';
  if (name === 'linguist-language') attributes.language = sign === '' ? value : undefined;
}

const isBlank = (character: string) => character === ' ' || character === '\t';

/** Splits a line at blanks in linear time, whatever its content. */
function splitParts(line: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at <= line.length; at += 1) {
    if (at < line.length && !isBlank(line.charAt(at))) continue;
    if (at > from) parts.push(line.slice(from, at));
    from = at + 1;
  }
  return parts;
}

/** `"a b.c" text` and `a.c text`: the pattern, and the rest; null where the quotes are not closed. */
function getPattern(line: string): { pattern: string; rest: string } | null {
  if (!line.startsWith('"')) {
    const [pattern = ''] = splitParts(line);
    return { pattern, rest: line.slice(pattern.length) };
  }
  let pattern = '';
  for (let at = 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '"') return { pattern, rest: line.slice(at + 1) };
    const escaped = line.charAt(at + 1);
    if (character === '\\' && (escaped === '"' || escaped === '\\')) {
      pattern += escaped;
      at += 1;
    } else pattern += character;
  }
  return null;
}

function getRule<S extends object>(
  text: string,
  folder: string,
  sayingOf: Saying<Partial<S>>,
  budget: WorkBudget,
): Rule<Partial<S>> | null {
  if (text.length > LONGEST_LINE) return null;
  const found = getPattern(text.trim());
  if (!found || found.pattern.startsWith('#') || found.pattern.startsWith('[attr]')) return null;
  const attributes: Partial<S> = {};
  for (const word of splitParts(found.rest)) sayingOf(word, attributes);
  const matches = Object.keys(attributes).length === 0 ? null : pathPattern(found.pattern, budget);
  return matches && { folder, matches, attributes };
}

function* getLines(text: string): Generator<string> {
  for (let [at, count] = [0, 0]; at <= text.length && count < MOST_LINES; count += 1) {
    const end = text.indexOf('\n', at);
    yield text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length + 1 : end + 1;
  }
}

function getRules<S extends object>(
  files: readonly { folder: string; text: string }[],
  sayingOf: Saying<Partial<S>>,
  most: number,
  budget: WorkBudget,
): Rule<Partial<S>>[] {
  const rules: Rule<Partial<S>>[] = [];
  for (const { folder, text } of files)
    for (const line of getLines(text)) {
      if (rules.length >= most) return rules;
      const rule = getRule(line, folder, sayingOf, budget);
      if (rule) rules.push(rule);
    }
  return rules;
}

/**
 * Reads `.gitattributes` files by path and returns a lookup of a file's attributes: later lines override earlier ones,
 * deeper folders override their parents. Reads only rules with a token that `sayingOf` recognizes.
 */
export function getAttributes<S extends object>(
  files: readonly AttributesFile[],
  sayingOf: Saying<Partial<S>>,
  { rules: most, steps }: AttributeBounds,
): (path: string) => Partial<S> {
  const outerFirst = files
    .map(({ path, text }) => ({ folder: path.slice(0, path.lastIndexOf('/') + 1), text }))
    .toSorted((a, b) => a.folder.split('/').length - b.folder.split('/').length);
  const rules = getRules<S>(outerFirst, sayingOf, Math.min(most, MOST_RULES), new WorkBudget(steps));
  return (path) => {
    const attributes: Partial<S> = {};
    for (const rule of rules)
      if (path.startsWith(rule.folder) && rule.matches(path.slice(rule.folder.length)))
        Object.assign(attributes, rule.attributes);
    return attributes;
  };
}

/**
 * Language attributes of a file from `.gitattributes` files.
 * @param most maximum number of rules to read: each is checked for each file
 */
export function languageAttributes(
  files: readonly AttributesFile[],
  most: number = MOST_RULES,
): (path: string) => LanguageAttributes {
  return getAttributes<LanguageAttributes>(files, saying, { rules: most, steps: MOST_STEPS });
}
