import { pathPattern } from './path-pattern.js';
import type { PathPattern } from './path-pattern.js';

/** What a repository says of a file in `.gitattributes`, where it says something. */
export interface LanguageAttributes {
  vendored?: boolean | undefined;
  generated?: boolean | undefined;
  documentation?: boolean | undefined;
  /** Whether it counts, whatever its language is. */
  detectable?: boolean | undefined;
  /** Name of the language it is in. */
  language?: string | undefined;
}

interface Rule {
  folder: string;
  matches: PathPattern;
  says: LanguageAttributes;
}

/** Rules beyond so many are not read. */
const MOST_RULES = 200;
const FLAGS = ['vendored', 'generated', 'documentation', 'detectable'] as const;

function sayings(words: readonly string[]): LanguageAttributes | null {
  const says: LanguageAttributes = {};
  for (const word of words) {
    const [, sign = '', name = '', value] = /^([-!]?)linguist-(\w+)(?:=(.*))?$/.exec(word) ?? [];
    const flag = FLAGS.find((known) => known === name);
    if (flag) says[flag] = sign === '!' ? undefined : sign === '' && value !== 'false';
    if (name === 'language') says.language = sign === '' ? value : undefined;
  }
  return Object.keys(says).length === 0 ? null : says;
}

/** `"a b.c" text` and `a.c text`: the pattern, and the rest. */
const LINE = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))\s+(.+)$/;

function ruleOf(line: string, folder: string): Rule | null {
  const [, quoted, plain, rest = ''] = LINE.exec(line) ?? [];
  const pattern = quoted?.replace(/\\(["\\])/g, '$1') ?? plain;
  if (pattern === undefined || pattern.startsWith('#') || pattern.startsWith('[attr]')) return null;
  const says = sayings(rest.trim().split(/\s+/));
  const matches = says && pathPattern(pattern);
  return matches && says ? { folder, matches, says } : null;
}

function rulesOf(files: readonly { folder: string; text: string }[], most: number): Rule[] {
  const rules: Rule[] = [];
  for (const { folder, text } of files)
    for (const line of text.split(/\r?\n/)) {
      if (rules.length >= most) return rules;
      const rule = ruleOf(line, folder);
      if (rule) rules.push(rule);
    }
  return rules;
}

/**
 * Reads `.gitattributes` files, by their paths, and tells what they say of a file: later lines before earlier ones,
 * folders below before those above.
 * @param most rules that are read at most: each is asked about each file
 */
export function languageAttributes(
  files: readonly { path: string; text: string }[],
  most: number = MOST_RULES,
): (path: string) => LanguageAttributes {
  const outerFirst = files
    .map(({ path, text }) => ({ folder: path.slice(0, path.lastIndexOf('/') + 1), text }))
    .toSorted((a, b) => a.folder.split('/').length - b.folder.split('/').length);
  const rules = rulesOf(outerFirst, Math.min(most, MOST_RULES));
  return (path) => {
    const says: LanguageAttributes = {};
    for (const rule of rules)
      if (path.startsWith(rule.folder) && rule.matches(path.slice(rule.folder.length))) Object.assign(says, rule.says);
    return says;
  };
}
