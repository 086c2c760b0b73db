import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { Unauthenticated } from '../../core/values/errors.js';
import { boolean, oneOf, optional, withDefault } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { inGroup, labelsAnywhere, labelsInGroup, labelsInProject, notArchived } from './issuable-scopes.js';
import { hasAssignee } from '../issuables/issuable-filters.js';
import { labelsOfFilters } from '../issuables/labels-of-titles.js';
import type { LabelsAmong } from '../issuables/labels-of-titles.js';
import { issueType } from '../issuables/issuable-type.js';
import { issuesOfAll, issuesOfProject, issuesOfProjects } from '../issues/issue.finder.js';
import type { ListedIssue } from '../issues/issue.entity.js';
import { isNarrowed, filteredLabelTitles } from './issuable-conditions.js';
import { onIssues, readableProjects } from '../issues/visible-issues.js';
import { issueConditions } from './issue-conditions.js';
import type { IssueFilters } from './issue.filters.js';

const SCOPES = ['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'] as const;
type Scope = (typeof SCOPES)[number];

/** Parameters of lists over many projects. */
export const acrossParams = (scope: Scope) => ({
  scope: withDefault(oneOf(SCOPES), scope).describe(
    'Scope of the issues: created by the caller, assigned to the caller, or all.',
  ),
  non_archived: withDefault(boolean(), true).describe('If `true`, excludes issues of archived projects.'),
});

export const stateParams = {
  state: optional(oneOf(['opened', 'closed', 'all'])).describe('Filter by state: `opened`, `closed` or `all`.'),
};

/** Filters of lists and statistics. */
export interface IssueListFilters extends IssueFilters {
  readonly scope: Scope;
  readonly state?: 'opened' | 'closed' | 'all' | undefined;
  readonly non_archived?: boolean;
  /** Of groups. */
  readonly include_subgroups?: boolean;
}

/** @throws Unauthenticated if an anonymous caller requests their own issues */
function ownConditions(ctx: Context, scope: Scope): Expression<SqlBool>[] {
  if (scope === 'all') return [];
  if (ctx.caller.anonymous) throw new Unauthenticated();
  const { id } = ctx.caller;
  return [scope.startsWith('created') ? onIssues('i.author_id', '=', id) : hasAssignee(issueType, id)];
}

/** @param among of which projects and groups labels count */
async function conditions(ctx: Context, filters: IssueListFilters, among: LabelsAmong): Promise<Expression<SqlBool>[]> {
  const own = ownConditions(ctx, filters.scope);
  const labelIds = await labelsOfFilters(ctx, filteredLabelTitles(filters), among);
  const where = [...own, ...issueConditions(ctx, filters, labelIds)];
  if (filters.state && filters.state !== 'all') where.push(onIssues('i.state', '=', filters.state));
  return where;
}

const standing = ({ non_archived: only = false }: IssueListFilters): Expression<SqlBool>[] =>
  only ? [notArchived] : [];

/** Issues of one project. @throws Unauthenticated */
export async function issuesOfOne(
  ctx: Context,
  found: ProjectRecord,
  filters: IssueListFilters,
): Promise<List<ListedIssue>> {
  const where = await conditions(ctx, filters, labelsInProject(found));
  return { ...issuesOfProject(ctx, found, where), planEachTime: isNarrowed(filters, where) };
}

/** Issues of all projects. @throws Unauthenticated */
export async function issuesOfEverywhere(ctx: Context, filters: IssueListFilters): Promise<List<ListedIssue>> {
  return issuesOfAll(ctx, [...standing(filters), ...(await conditions(ctx, filters, labelsAnywhere))]);
}

/** Issues of the projects in and below a group, or in it alone. @throws Unauthenticated */
export async function issuesOfGroup(
  ctx: Context,
  found: GroupRecord,
  filters: IssueListFilters,
): Promise<List<ListedIssue>> {
  const inside = filters.include_subgroups === false ? onIssues('p.namespace_id', '=', found.id) : inGroup(found);
  const where = await conditions(ctx, filters, labelsInGroup(found));
  const projects = await readableProjects(ctx, [inside, ...standing(filters)]);
  return {
    ...issuesOfProjects(ctx, projects, where),
    read: (row) => ({ ...row, reference_base: { kind: 'group', full_path: found.full_path } }),
  };
}
