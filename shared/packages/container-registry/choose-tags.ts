import type { Context } from '../../core/context/context.js';
import { Expression } from '../../core/expressions/expressions.js';
import type { ContainerRepository } from './container-repository.entity.js';
import { forEachAtOnce, tagDetails } from './container-tags.js';

/** Which tags are deleted: those that the first expression matches as a whole, without what any other key keeps. */
export interface TagRule {
  name_regex_delete: string | null;
  name_regex_keep: string | null;
  /** The newest so many stay. */
  keep_n: number | null;
  /** Those stay that were built within this time, such as `7d`. */
  older_than: string | null;
}

/** Never deleted by a rule. */
const LATEST = 'latest';
/** Names that are matched at once: the cost of matching is bounded for each call. */
const MATCHED_AT_ONCE = 500;

const HOUR_MS = 3_600_000;
const UNITS: Record<string, number> = {
  second: 1000,
  s: 1000,
  minute: 60_000,
  min: 60_000,
  hour: HOUR_MS,
  h: HOUR_MS,
  day: 24 * HOUR_MS,
  d: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
  year: 365 * 24 * HOUR_MS,
};

/** Parses a duration such as `1h`, `2d` or `1month` into milliseconds; null if it is invalid. */
export function parseKeepDuration(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6}) ?([a-z]+?)s?$/i.exec(text.trim()) ?? [];
  const each = UNITS[unit.toLowerCase()] ?? (unit === '' && /s$/i.test(text) ? UNITS.s : undefined);
  return count === undefined || each === undefined ? null : Number(count) * each;
}

/** The names that an expression matches as a whole; none without one. */
async function matching(ctx: Context, names: readonly string[], pattern: string | null): Promise<string[]> {
  if (!pattern) return [];
  const expression = Expression.read(pattern);
  if (!(expression instanceof Expression)) return [];
  const found: string[] = [];
  for (let at = 0; at < names.length; at += MATCHED_AT_ONCE) {
    const some = names.slice(at, at + MATCHED_AT_ONCE);
    found.push(...(await expression.filter(some, (name) => name, ctx.signal, { whole: true })));
  }
  return found;
}

/** The tags that are neither among the newest nor too young; tags without a date are kept. */
async function oldEnough(
  ctx: Context,
  repository: ContainerRepository,
  names: readonly string[],
  { keep_n: keep, older_than: age }: TagRule,
): Promise<string[]> {
  const details = await forEachAtOnce(names, (name) => {
    ctx.signal.throwIfAborted();
    return tagDetails(ctx, repository, name);
  });
  const dated = details.flatMap((tag) => (tag?.created_at ? [{ name: tag.name, at: tag.created_at.getTime() }] : []));
  const newestFirst = dated.toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  const before = ctx.clock.now().getTime() - (age === null ? 0 : (parseKeepDuration(age) ?? Infinity));
  return newestFirst.slice(keep ?? 0).flatMap(({ name, at }) => (age === null || at < before ? [name] : []));
}

/**
 * The tags that a rule deletes (as the public product has it: whole names; `latest` stays, and what `name_regex_keep`
 * matches; of the rest the newest `keep_n`, and those younger than `older_than`).
 */
export async function chooseTags(
  ctx: Context,
  repository: ContainerRepository,
  names: readonly string[],
  rule: TagRule,
): Promise<string[]> {
  const matches = await matching(
    ctx,
    names.filter((name) => name !== LATEST),
    rule.name_regex_delete,
  );
  const protectedNames = new Set(await matching(ctx, matches, rule.name_regex_keep));
  const candidates = matches.filter((name) => !protectedNames.has(name));
  if (rule.keep_n === null && rule.older_than === null) return candidates;
  return oldEnough(ctx, repository, candidates, rule);
}
