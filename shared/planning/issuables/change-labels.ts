import type { Context } from '../../core/context/context.js';
import type { NamedLabel } from './issuable-changes.js';
import { labelsOfTitles } from './labels-of-titles.js';
import type { LabelPlace } from './labels-of-titles.js';
import { withoutExcluded } from './scoped-labels.js';

/** Titles that were asked for; undefined where nothing was said. */
export interface AskedLabels {
  /** All that there are to be. */
  readonly labels?: readonly string[] | undefined;
  readonly add_labels?: readonly string[] | undefined;
  readonly remove_labels?: readonly string[] | undefined;
}

/** Titles as they were given, in an array or not: no title holds a comma. */
const titlesOf = (given: readonly string[] | undefined): string[] =>
  (given ?? []).flatMap((one) => one.split(',')).map((title) => title.trim());

/**
 * The labels that something in a project or group has once it was changed as asked: those that are set instead of all, then
 * those that are added, without those that are taken away. Of scoped labels the last one counts.
 * @throws Invalid for a title that is too long
 */
export async function changedLabels(
  ctx: Context,
  found: LabelPlace,
  before: readonly NamedLabel[],
  asked: AskedLabels,
): Promise<readonly NamedLabel[]> {
  const { labels, add_labels: add, remove_labels: remove } = asked;
  if (!labels && !add && !remove) return before;
  const named = await labelsOfTitles(ctx, found, [...titlesOf(labels), ...titlesOf(add)]);
  const kept = labels ? [] : before.filter(({ id }) => named.every((one) => one.id !== id));
  const away = new Set(titlesOf(remove));
  return withoutExcluded(
    ctx,
    [...kept, ...named].filter(({ title }) => !away.has(title)),
  );
}
