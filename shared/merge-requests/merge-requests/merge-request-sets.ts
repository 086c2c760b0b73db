import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { Unauthenticated } from '../../core/values/errors.js';
import { boolean, oneOf, withDefault } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { isNarrowed, filteredLabelTitles } from '../../planning/issue-lists/issuable-conditions.js';
import {
  inGroup,
  labelsAnywhere,
  labelsInGroup,
  labelsInProject,
  notArchived,
} from '../../planning/issue-lists/issuable-scopes.js';
import { hasAssignee } from '../../planning/issuables/issuable-filters.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import { labelsOfFilters } from '../../planning/issuables/labels-of-titles.js';
import type { LabelsAmong } from '../../planning/issuables/labels-of-titles.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { onMergeRequests, projectsOfMergeRequests } from './visible-merge-requests.js';
import { mergeRequestsOfAll, mergeRequestsOfProject, mergeRequestsOfProjects } from './merge-request.finder.js';
import type { ListedMergeRequest } from './merge-request.entity.js';
import { hasReviewer, mergeRequestConditions } from './merge-request-conditions.js';
import type { MergeRequestFilters } from './merge-request.filters.js';

const SCOPES = [
  'created_by_me',
  'assigned_to_me',
  'reviews_for_me',
  'all',
  'created-by-me',
  'assigned-to-me',
  'reviews-for-me',
] as const;
type Scope = (typeof SCOPES)[number];

export const scopeParam = (scope: Scope) => ({
  scope: withDefault(oneOf(SCOPES), scope).describe('Filter by scope: merge requests of the caller, or all.'),
});

export const archivedParam = {
  non_archived: withDefault(boolean(), true).describe('If `true`, excludes merge requests of archived projects.'),
};

/** Filters of lists. */
export interface MergeRequestListFilters extends MergeRequestFilters {
  readonly scope: Scope;
  readonly non_archived?: boolean;
  /** For a group: also those of its subgroups, by default. */
  readonly include_subgroups?: boolean;
}

/** @throws Unauthenticated if an anonymous caller requests their own merge requests */
function ownConditions(ctx: Context, scope: Scope): Expression<SqlBool>[] {
  if (scope === 'all') return [];
  if (ctx.caller.anonymous) throw new Unauthenticated();
  const { id } = ctx.caller;
  if (scope.startsWith('created')) return [onMergeRequests('i.author_id', '=', id)];
  return [scope.startsWith('reviews') ? hasReviewer(id) : hasAssignee(mergeRequestType, id)];
}

/** @param among of which projects and groups labels count */
async function conditions(
  ctx: Context,
  filters: MergeRequestListFilters,
  among: LabelsAmong,
): Promise<Expression<SqlBool>[]> {
  const own = ownConditions(ctx, filters.scope);
  const labelIds = await labelsOfFilters(ctx, filteredLabelTitles(filters), among);
  return [...own, ...mergeRequestConditions(ctx, filters, labelIds)];
}

const standing = ({ non_archived: only = false }: MergeRequestListFilters): Expression<SqlBool>[] =>
  only ? [notArchived] : [];

/** Merge requests of one project. @throws Unauthenticated */
export async function mergeRequestsOfOne(
  ctx: Context,
  found: ProjectRecord,
  filters: MergeRequestListFilters,
): Promise<List<ListedMergeRequest>> {
  const where = await conditions(ctx, filters, labelsInProject(found));
  return { ...mergeRequestsOfProject(found, where), planEachTime: isNarrowed(filters, where) };
}

/** Merge requests of all projects. @throws Unauthenticated */
export async function mergeRequestsOfEverywhere(
  ctx: Context,
  filters: MergeRequestListFilters,
): Promise<List<ListedMergeRequest>> {
  return mergeRequestsOfAll(ctx, [...standing(filters), ...(await conditions(ctx, filters, labelsAnywhere))]);
}

/** Merge requests of the projects in a group, by default including its subgroups. @throws Unauthenticated */
export async function mergeRequestsOfGroup(
  ctx: Context,
  found: GroupRecord,
  filters: MergeRequestListFilters,
): Promise<List<ListedMergeRequest>> {
  const where = await conditions(ctx, filters, labelsInGroup(found));
  const inside =
    filters.include_subgroups === false ? onMergeRequests('p.namespace_id', '=', found.id) : inGroup(found);
  const projects = await projectsOfMergeRequests(ctx, [inside, ...standing(filters)]);
  return {
    ...mergeRequestsOfProjects(projects, where),
    read: (row) => ({ ...row, reference_base: { kind: 'group', full_path: found.full_path } }),
  };
}
