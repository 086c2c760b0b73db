import type { Context } from '../../core/context/context.js';
import type { LabelSummary } from './issuable-changes.js';
import { labelsOfTitles } from './labels-of-titles.js';
import type { ContainerRecord } from './labels-of-titles.js';

/** `key` of `key::value`; of `a::b::c` it is `a::b`. Null for labels without a scope. */
function scopeOf(title: string): string | null {
  const at = title.lastIndexOf('::');
  return at > 0 && at + 2 < title.length ? title.slice(0, at) : null;
}

/**
 * What is left of labels when of each scope only the last one counts: scoped labels exclude each other, from Premium on.
 * @param labels in the order in which they were given
 */
function withoutExcluded<L extends { title: string }>(ctx: Context, labels: readonly L[]): L[] {
  if (!ctx.hasPlan('premium')) return [...labels];
  const last = new Map<string, L>();
  for (const label of labels) {
    const scope = scopeOf(label.title);
    if (scope !== null) last.set(scope, label);
  }
  return labels.filter((label) => {
    const scope = scopeOf(label.title);
    return scope === null || last.get(scope) === label;
  });
}

/** Titles that were asked for; undefined where nothing was said. */
export interface LabelInput {
  /** All that there are to be. */
  readonly labels?: readonly string[] | undefined;
  readonly add_labels?: readonly string[] | undefined;
  readonly remove_labels?: readonly string[] | undefined;
}

/** Titles as they were given, in an array or not: no title holds a comma. */
const titlesOf = (labels: readonly string[] | undefined): string[] =>
  (labels ?? []).flatMap((one) => one.split(',')).map((title) => title.trim());

/**
 * The labels that something in a project or group has once it was changed as asked: those that are set instead of all, then
 * those that are added, without those that are taken away. Of scoped labels the last one counts.
 * @throws Invalid for a title that is too long
 */
export async function changedLabels(
  ctx: Context,
  found: ContainerRecord,
  before: readonly LabelSummary[],
  input: LabelInput,
): Promise<readonly LabelSummary[]> {
  const { labels, add_labels: add, remove_labels: remove } = input;
  if (!labels && !add && !remove) return before;
  const newLabels = await labelsOfTitles(ctx, found, [...titlesOf(labels), ...titlesOf(add)]);
  const remaining = labels ? [] : before.filter(({ id }) => newLabels.every((one) => one.id !== id));
  const away = new Set(titlesOf(remove));
  return withoutExcluded(
    ctx,
    [...remaining, ...newLabels].filter(({ title }) => !away.has(title)),
  );
}
