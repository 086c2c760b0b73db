import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { readRange } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { referenceFrom } from '../../planning/issues/issue-references.js';
import { visibleIssues } from '../../planning/issues/visible-issues.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.record.js';
import { mergeRequestUrl } from '../merge-requests/merge-request.shape.js';
import type { DescribedCommit, DescribedMergeRequest, Signature } from './message-template.js';

type Role = 'author' | 'approver' | 'reviewer';

interface Person extends Signature {
  readonly role: Role;
}

/** Reviewers of whom something came. */
const REVIEWED = ['reviewed', 'requested_changes', 'approved', 'unapproved'];

/** Whom messages name: one statement. */
const peopleOf = (ctx: SignedInContext, { id, author_id: authorId = null }: MergeRequestRecord): Promise<Person[]> =>
  ctx.query<Person>(sql`
    select w.role as "role", u.name as "name", u.email as "email" from (
      select 'author' as role, ${authorId}::bigint as user_id, null::timestamptz as at
      union all
      select 'approver', x.user_id, x.created_at from merge_request_approvals x where x.merge_request_id = ${id}
      union all
      select 'reviewer', v.user_id, v.created_at from merge_request_reviewers v
       where v.merge_request_id = ${id} and v.state = any(${REVIEWED}::text[])) w
      join users u on u.id = w.user_id order by w.role, w.at, u.id`);

/** Issues that it closes and whoever merges it sees, as its project names them. */
async function closingIssues(ctx: SignedInContext, request: MergeRequestRecord): Promise<string[]> {
  const rows = await ctx.query<{ iid: number; path: string }>(sql`
    select i.iid as "iid", r.path as "path"
      from merge_requests_closing_issues c join issues i on i.id = c.issue_id
      join projects p on p.id = i.project_id join routes r on r.project_id = p.id
     where c.merge_request_id = ${request.id} and c.closes and ${visibleIssues(ctx)}
     order by i.project_id <> ${request.project_id}, i.project_id, i.iid limit 100`);
  const from = { kind: 'project', full_path: request.full_path } as const;
  return rows.map(({ iid, path }) => referenceFrom(from, path, `#${iid}`));
}

/** Commits that messages tell of: the newest hundred. */
const COMMITS = { most: 100, mostBytes: 16 * 1024 * 1024 };

const NEEDS_COMMITS =
  /%\{(first_commit|first_multiline_commit|first_multiline_commit_description|all_commits|co_authored_by)\}/;

async function commitsOf(repository: Repository, from: string, to: string): Promise<DescribedCommit[]> {
  return (await readRange(repository, { from, to }, COMMITS)).commits.toReversed();
}

/**
 * What the messages of a merge tell, as far as templates ask for it.
 * @param templates of the messages that are made of one
 */
export async function describeMerge(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  { merger, templates }: { merger: Signature; templates: readonly string[] },
  commits: { repository: Repository; target: string; head: string },
): Promise<DescribedMergeRequest> {
  const wantsCommits = templates.some((template) => NEEDS_COMMITS.test(template));
  const [people, issues, described] = await Promise.all([
    peopleOf(ctx, request),
    closingIssues(ctx, request),
    wantsCommits ? commitsOf(commits.repository, commits.target, commits.head) : [],
  ]);
  const are = (role: Role) => people.filter((person) => person.role === role);
  return {
    title: request.title,
    description: request.description ?? null,
    source_branch: request.source_branch,
    target_branch: request.target_branch,
    source_project_id: request.source_project_id ?? null,
    reference: `${request.full_path}!${request.iid}`,
    local_reference: `!${request.iid}`,
    url: mergeRequestUrl(request, ctx),
    issues,
    author: are('author')[0] ?? null,
    merged_by: merger,
    approved_by: are('approver'),
    reviewed_by: are('reviewer'),
    commits: described,
  };
}
