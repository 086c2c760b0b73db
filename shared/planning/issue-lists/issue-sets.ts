import type { Context } from '../../core/context.js';
import { Unauthenticated } from '../../core/errors.js';
import { boolean, oneOf, optional, withDefault } from '../../core/fields.js';
import type { List } from '../../core/list.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { hasAssignee } from '../issuables/issuable-filters.js';
import { issueType } from '../issuables/issuable-type.js';
import { issuesOfAll, issuesOfProject } from '../issues/issue.finder.js';
import type { ListedIssue } from '../issues/issue.record.js';
import { issueConditions } from './issue-conditions.js';
import type { IssueFilters } from './issue.filters.js';

const SCOPES = ['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'] as const;
type Scope = (typeof SCOPES)[number];

/** Parameters of lists over many projects. */
export const acrossParams = (scope: Scope) => ({
  scope: withDefault(oneOf(SCOPES), scope).describe('Whose issues: those of the caller, or all.'),
  non_archived: withDefault(boolean(), true).describe('Without those of archived projects.'),
});

export const stateParams = {
  state: optional(oneOf(['opened', 'closed', 'all'])).describe('Only open or only closed ones.'),
};

/** What lists and statistics are asked with. */
export interface AskedIssues extends IssueFilters {
  readonly scope: Scope;
  readonly state?: 'opened' | 'closed' | 'all' | undefined;
  readonly non_archived?: boolean;
}

/** @throws Unauthenticated for what is nobody's */
function ownConditions(ctx: Context, scope: Scope): Sql[] {
  if (scope === 'all') return [];
  if (ctx.caller.anonymous) throw new Unauthenticated();
  const { id } = ctx.caller;
  return [scope.startsWith('created') ? sql`i.author_id = ${id}` : hasAssignee(issueType, id)];
}

function conditions(ctx: Context, asked: AskedIssues): Sql[] {
  const where = [...ownConditions(ctx, asked.scope), ...issueConditions(ctx, asked)];
  if (asked.state && asked.state !== 'all') where.push(sql`i.state = ${asked.state}`);
  return where;
}

/** A project counts as archived with its group too. */
const standing = ({ non_archived: only = false }: AskedIssues): Sql[] =>
  only
    ? [sql`not p.archived and not exists (select 1 from namespaces n where n.id = p.namespace_id and n.archived)`]
    : [];

/** Issues of one project. */
export const issuesOfOne = (ctx: Context, found: ProjectRecord, asked: AskedIssues): List<ListedIssue> =>
  issuesOfProject(ctx, found, conditions(ctx, asked));

/** Issues of all projects. @throws Unauthenticated */
export const issuesOfEverywhere = (ctx: Context, asked: AskedIssues): List<ListedIssue> =>
  issuesOfAll(ctx, [...standing(asked), ...conditions(ctx, asked)]);

/** Issues of the projects in and below a group. @throws Unauthenticated */
export function issuesOfGroup(ctx: Context, found: GroupRecord, asked: AskedIssues): List<ListedIssue> {
  const inside = sql`p.namespace_id = any(array(
    select d.id from namespaces d where d.traversal_ids @> array[${found.id}]::bigint[]))`;
  return {
    ...issuesOfAll(ctx, [inside, ...standing(asked), ...conditions(ctx, asked)]),
    read: (row) => ({ ...row, seen_from: { kind: 'group', full_path: found.full_path } }),
  };
}
