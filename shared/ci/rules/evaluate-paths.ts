import type { ChangesClause, ExistsClause } from '../configuration-model/configuration.types.js';
import { cutPart, describeOperand, joinTexts } from './describe-condition.js';
import { expandVariables, listReferences } from './expand-variables.js';
import { matchPaths } from './match-paths.js';
import type { Because, Lookup, Operand, RuleContext } from './rules.types.js';

const MAX_OPERANDS = 20;

/** Expands what a path, a ref or a project of a condition may hold; unknown variables stay as text. */
function expandTexts(texts: readonly string[], lookup: Lookup): string[] {
  return texts.map((text) => expandVariables(text, lookup, { keepUndefined: true }));
}

/** A ref or a project: errors name it, so that a secret is no part of it. */
function expandVisible(text: string | undefined, lookup: Lookup): string | undefined {
  return text === undefined ? undefined : expandTexts([text], lookup.visible ?? lookup)[0];
}

function describeReferences(texts: readonly (string | undefined)[], lookup: Lookup): Operand[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const name of listReferences(text ?? '')) names.add(name);
    if (names.size >= MAX_OPERANDS) break;
  }
  return [...names].slice(0, MAX_OPERANDS).map((name) => describeOperand(name, lookup));
}

/** `paths` is null where they are not known, for the reason in `unknown`. No path of a repository appears: not everybody may read it. */
function comparePaths(
  condition: Pick<Because, 'part' | 'operands'>,
  patterns: readonly string[],
  paths: readonly string[] | null,
  unknown: string,
): Because {
  if (paths === null) return { ...condition, result: true, note: unknown };
  const match = matchPaths(patterns, paths);
  if (match === 'too_many') return { ...condition, result: true, note: 'more than 50,000 comparisons' };
  return { ...condition, result: match === 'match' };
}

/** `changes` of a rule. Throws RuleSourceError when `compare_to` is no ref. */
export async function evaluateChanges(
  clause: ChangesClause,
  context: Pick<RuleContext, 'lookup' | 'changedPaths'>,
): Promise<Because> {
  const { lookup } = context;
  const part = cutPart(describeChanges(clause));
  const operands = describeReferences([clause.compare_to, ...clause.paths], lookup);
  const paths = await context.changedPaths(expandVisible(clause.compare_to, lookup));
  return comparePaths({ part, operands }, expandTexts(clause.paths, lookup), paths, 'the changed paths are not known');
}

/** `exists` of a rule. Throws RuleSourceError when its project or ref is unknown. */
export async function evaluateExists(
  clause: ExistsClause,
  context: Pick<RuleContext, 'lookup' | 'pathsInTree'>,
): Promise<Because> {
  const { lookup } = context;
  const part = cutPart(describeExists(clause));
  const operands = describeReferences([clause.project, clause.ref, ...clause.paths], lookup);
  const paths = await context.pathsInTree(expandVisible(clause.project, lookup), expandVisible(clause.ref, lookup));
  return comparePaths({ part, operands }, expandTexts(clause.paths, lookup), paths, 'more paths than are compared');
}

/** `changes` as text. */
export function describeChanges(clause: ChangesClause): string {
  const against = clause.compare_to === undefined ? '' : ` (compare_to: ${clause.compare_to})`;
  return `changes: ${joinTexts(clause.paths)}${against}`;
}

/** `exists` as text. */
export function describeExists(clause: ExistsClause): string {
  const source = [
    clause.project === undefined ? [] : [`project: ${clause.project}`],
    clause.ref === undefined ? [] : [`ref: ${clause.ref}`],
  ].flat();
  return `exists: ${joinTexts(clause.paths)}${source.length === 0 ? '' : ` (${source.join(', ')})`}`;
}
