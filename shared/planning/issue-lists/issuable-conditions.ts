import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { today } from '../../tenancy/namespaces/access.js';
import { reactedWith } from '../award-emoji/award-emoji.finder.js';
import {
  hasAssignee,
  hasAssignees,
  hasLabel,
  hasLabels,
  hasMilestone,
  isPlanned,
  MILESTONE_KEYWORDS,
  onIssuables,
  userIdOfName,
} from '../issuables/issuable-filters.js';
import type { MilestoneKeyword } from '../issuables/issuable-filters.js';
import type { IssuableType } from '../issuables/issuable-type.js';
import type { LabelIds } from '../issuables/labels-of-titles.js';

/* Conditions on records `i` from list filters that issues and merge requests share. */

/** Negates a condition, treating null as false. */
export const not = (condition: Expression<SqlBool>): Expression<SqlBool> =>
  onIssuables.not(onIssuables.fn.coalesce(condition, onIssuables.lit(false)));

const isKeyword = (text: string, keyword: string) => text.trim().toLowerCase() === keyword;

/** Titles as passed, as an array or a comma-separated string: no title contains a comma. */
export const splitTitles = (labels: readonly string[]): string[] =>
  labels
    .flatMap((one) => one.split(','))
    .map((title) => title.trim())
    .filter((title) => title !== '');

const NO_TITLES = ['none', 'any'];

interface Labelled {
  readonly labels?: readonly string[] | undefined;
}

/** All titles of labels that filters name. */
export const filteredLabelTitles = (filters: Labelled & { readonly not?: Labelled | undefined }): string[] =>
  splitTitles([...(filters.labels ?? []), ...(filters.not?.labels ?? [])]).filter(
    (title) => !NO_TITLES.includes(title.toLowerCase()),
  );

/** @param labelIds of {@link labelTitles} */
export function labelConditions(
  type: IssuableType,
  titles: readonly string[],
  labelIds: LabelIds,
): Expression<SqlBool>[] {
  return titles.map((title) => {
    if (isKeyword(title, 'none')) return not(hasLabels(type));
    return isKeyword(title, 'any') ? hasLabels(type) : hasLabel(type, labelIds.get(title) ?? []);
  });
}

function milestoneCondition(ctx: Context, milestone: string | number): Expression<SqlBool> {
  // `#upcoming` is how the public API's own pages say it.
  const keyword = typeof milestone === 'string' ? milestone.trim().toLowerCase().replace(/^#/, '') : '';
  if ((MILESTONE_KEYWORDS as readonly string[]).includes(keyword))
    return isPlanned(keyword as MilestoneKeyword, today(ctx));
  return typeof milestone === 'number' ? onIssuables('i.milestone_id', '=', milestone) : hasMilestone(milestone);
}

interface Shared {
  readonly milestone?: string | undefined;
  readonly milestone_id?: number | string | undefined;
  readonly iids?: readonly number[] | undefined;
  readonly author_id?: number | undefined;
  readonly author_username?: string | undefined;
  readonly assignee_username?: readonly string[] | undefined;
  readonly my_reaction_emoji?: string | undefined;
}

/** What both the filters and `not` say, each as a condition that is to hold, or not to. */
export function sharedConditions(ctx: Context, type: IssuableType, filters: Shared): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (filters.milestone) where.push(milestoneCondition(ctx, filters.milestone));
  if (filters.milestone_id !== undefined) where.push(milestoneCondition(ctx, filters.milestone_id));
  if (filters.iids && filters.iids.length > 0)
    where.push(
      onIssuables(
        'i.iid',
        '=',
        anyOf(
          filters.iids.filter((iid) => Math.abs(iid) < 2 ** 31),
          'int',
        ),
      ),
    );
  if (filters.author_id !== undefined) where.push(onIssuables('i.author_id', '=', filters.author_id));
  if (filters.author_username) where.push(onIssuables('i.author_id', '=', userIdOfName(filters.author_username)));
  for (const name of filters.assignee_username ?? []) where.push(hasAssignee(type, userIdOfName(name)));
  if (filters.my_reaction_emoji && !ctx.caller.anonymous)
    where.push(reactedWith(ctx, type, 'i', filters.my_reaction_emoji));
  return where;
}

export function assigneeCondition(type: IssuableType, assignee: number | 'none' | 'any'): Expression<SqlBool> {
  // Older clients pass 0 for "no assignee".
  if (assignee === 'none' || assignee === 0) return not(hasAssignees(type));
  return assignee === 'any' ? hasAssignees(type) : hasAssignee(type, assignee);
}

interface Times {
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
  readonly updated_after?: Date | undefined;
  readonly updated_before?: Date | undefined;
}

export function timeConditions(filters: Times): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (filters.created_after) where.push(onIssuables('i.created_at', '>=', filters.created_after));
  if (filters.created_before) where.push(onIssuables('i.created_at', '<=', filters.created_before));
  if (filters.updated_after) where.push(onIssuables('i.updated_at', '>=', filters.updated_after));
  if (filters.updated_before) where.push(onIssuables('i.updated_at', '<=', filters.updated_before));
  return where;
}

/**
 * Whether it depends on more than the state how much of a project matches.
 * @param where all conditions that the filters say
 */
export const isNarrowed = ({ state }: { state?: string | undefined }, where: readonly unknown[]): boolean =>
  where.length > (state === undefined || state === 'all' ? 0 : 1);
