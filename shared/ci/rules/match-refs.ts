import { compilePattern, testPattern } from './compile-pattern.js';
import { cutPart, describeValue } from './describe-condition.js';
import { RuleSourceError } from './rule-errors.js';
import type { Because, PolicyContext } from './rules.types.js';

/** Refs that an explanation lists when none of them matches. */
const MAX_LIST = 20;

/** Keywords for the kind of pipeline, by `CI_PIPELINE_SOURCE`. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['schedules', 'schedule'],
  ['pushes', 'push'],
  ['api', 'api'],
  ['web', 'web'],
  ['triggers', 'trigger'],
  ['pipelines', 'pipeline'],
  ['external', 'external'],
  ['merge_requests', 'merge_request_event'],
  ['chat', 'chat'],
  ['external_pull_requests', 'external_pull_request_event'],
]);

/** One entry of `refs`: a name, a keyword or a pattern, and the project it is meant for. */
interface RefEntry {
  name: string;
  pattern: { body: string; flags: string } | null;
  path: string | null;
}

/** `/re/flags`, perhaps with `@group/project`. */
const PATTERN_ENTRY = /^\/(.+?)\/([ismU]*)(?:@(.+))?$/s;

function readEntry(text: string): RefEntry {
  const match = PATTERN_ENTRY.exec(text);
  if (match) {
    const pattern = { body: match[1]!, flags: match[2]! };
    return { name: `/${pattern.body}/${pattern.flags}`, pattern, path: match[3] ?? null };
  }
  const at = text.lastIndexOf('@');
  if (at < 1) return { name: text, pattern: null, path: null };
  return { name: text.slice(0, at), pattern: null, path: text.slice(at + 1) };
}

/** Whether an entry of `refs` can be used: it is no pattern, or one that compiles. */
export function checkRef(text: string): boolean {
  const { pattern } = readEntry(text);
  return pattern === null || compilePattern(pattern.body, pattern.flags) !== null;
}

/**
 * Looks for an entry of `refs` that means this pipeline. Returns what was compared: up to the entry that matches, which
 * is last, or the first 20 when none does. Throws RuleSourceError for a pattern that does not compile.
 */
export function matchRefs(refs: readonly string[], context: PolicyContext): Because[] {
  const because: Because[] = [];
  for (const ref of refs) {
    const comparison = compareRef(ref, context);
    if (comparison.result) return [...because.slice(0, MAX_LIST - 1), comparison];
    if (because.length < MAX_LIST) because.push(comparison);
  }
  return because;
}

function compareRef(text: string, context: PolicyContext): Because {
  const entry = readEntry(text);
  const source = SOURCES.get(entry.name);
  const operands = [
    source === undefined
      ? describeValue('CI_COMMIT_REF_NAME', context.ref)
      : describeValue('CI_PIPELINE_SOURCE', context.source),
    ...(entry.path === null ? [] : [describeValue('CI_PROJECT_PATH', context.projectPath)]),
  ];
  const isHere = entry.path === null || entry.path === context.projectPath;
  return { part: cutPart(text), operands, result: isHere && matchesEntry(entry, source, context) };
}

function matchesEntry(entry: RefEntry, source: string | undefined, context: PolicyContext): boolean {
  if (entry.pattern !== null) {
    const pattern = compilePattern(entry.pattern.body, entry.pattern.flags);
    if (pattern === null) throw new RuleSourceError(entry.name);
    return testPattern(pattern, context.ref);
  }
  if (source !== undefined && source === context.source) return true;
  if (entry.name === 'tags' && context.isTag) return true;
  if (entry.name === 'branches' && !context.isTag && !context.source.endsWith('_request_event')) return true;
  return entry.name === context.ref;
}
