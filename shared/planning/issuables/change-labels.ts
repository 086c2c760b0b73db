import type { Context } from '../../core/context/context.js';
import type { LabelSummary } from './issuable-changes.js';
import { labelsOfTitles } from './labels-of-titles.js';
import type { ContainerRecord } from './labels-of-titles.js';

/** `key` of `key::value`; of `a::b::c` it is `a::b`. Null for labels without a scope. */
function getScope(title: string): string | null {
  const at = title.lastIndexOf('::');
  return at > 0 && at + 2 < title.length ? title.slice(0, at) : null;
}

/**
 * Keeps only the last label of each scope: scoped labels are mutually exclusive, from Premium on.
 * @param labels in the order in which they were passed
 */
function withoutExcluded<L extends { title: string }>(ctx: Context, labels: readonly L[]): L[] {
  if (!ctx.hasPlan('premium')) return [...labels];
  const last = new Map<string, L>();
  for (const label of labels) {
    const scope = getScope(label.title);
    if (scope !== null) last.set(scope, label);
  }
  return labels.filter((label) => {
    const scope = getScope(label.title);
    return scope === null || last.get(scope) === label;
  });
}

/** Requested titles; undefined if omitted. */
export interface LabelInput {
  /** All that there are to be. */
  readonly labels?: readonly string[] | undefined;
  readonly add_labels?: readonly string[] | undefined;
  readonly remove_labels?: readonly string[] | undefined;
}

/** Titles as passed, as an array or a comma-separated string: no title contains a comma. */
const getTitles = (labels: readonly string[] | undefined): string[] =>
  (labels ?? []).flatMap((one) => one.split(',')).map((title) => title.trim());

/**
 * The labels of a record in a project or group after a requested change: the labels that replace all, plus those added,
 * minus those removed. Of scoped labels, the last one wins.
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
  const newLabels = await labelsOfTitles(ctx, found, [...getTitles(labels), ...getTitles(add)]);
  const remaining = labels ? [] : before.filter(({ id }) => newLabels.every((one) => one.id !== id));
  const away = new Set(getTitles(remove));
  return withoutExcluded(
    ctx,
    [...remaining, ...newLabels].filter(({ title }) => !away.has(title)),
  );
}
