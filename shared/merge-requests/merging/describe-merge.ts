import type { SignedInContext } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { readRange } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { referenceFrom } from '../../planning/issues/issue-references.js';
import { visibleIssues } from '../../planning/issues/visible-issues.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { mergeRequestUrl } from '../merge-requests/merge-request.serializer.js';
import type { DescribedCommit, DescribedMergeRequest, Signature } from './message-template.js';

type Role = 'author' | 'approver' | 'reviewer';

interface Person extends Signature {
  readonly role: Role;
}

/** States of reviewers who submitted a review. */
const REVIEWED = ['reviewed', 'requested_changes', 'approved', 'unapproved'];

/** The users named in commit messages: one statement. */
function getPeople(ctx: SignedInContext, { id, author_id: authorId = null }: MergeRequestRecord): Promise<Person[]> {
  const db = ctx.em.getKysely<MergeRequestsDatabase>();
  const author = db.selectNoFrom((eb) => [
    constant<Role>('author').as('role'),
    eb.cast<number | null>(eb.val(authorId), 'bigint').as('user_id'),
    eb.cast<Date | null>(constant(null), 'timestamptz').as('at'),
  ]);
  const approvers = db
    .selectFrom('merge_request_approvals as x')
    .select([constant<Role>('approver').as('role'), 'x.user_id', 'x.created_at as at'])
    .where('x.merge_request_id', '=', id);
  const reviewers = db
    .selectFrom('merge_request_reviewers as v')
    .select([constant<Role>('reviewer').as('role'), 'v.user_id', 'v.created_at as at'])
    .where('v.merge_request_id', '=', id)
    .where('v.state', '=', anyOf(REVIEWED, 'text'));
  return db
    .selectFrom(author.unionAll(approvers).unionAll(reviewers).as('w'))
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .select(['w.role', 'u.name', 'u.email'])
    .orderBy('w.role')
    .orderBy('w.at')
    .orderBy('u.id')
    .execute();
}

const MOST_ISSUES = 100;

/** References from the project to the issues that the merge request closes and that the merging user can see. */
async function closingIssues(ctx: SignedInContext, request: MergeRequestRecord): Promise<string[]> {
  const rows = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests_closing_issues as c')
    .innerJoin('issues as i', 'i.id', 'c.issue_id')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select(['i.iid', 'r.path'])
    .where('c.merge_request_id', '=', request.id)
    .where((eb) => eb.ref('c.closes'))
    .where(visibleIssues(ctx))
    .orderBy((eb) => eb('i.project_id', '<>', request.project_id))
    .orderBy('i.project_id')
    .orderBy('i.iid')
    .limit(MOST_ISSUES)
    .execute();
  const from = { kind: 'project', full_path: request.full_path } as const;
  return rows.map(({ iid, path }) => referenceFrom(from, path, `#${iid}`));
}

/** Limits for the commits included in messages: the newest hundred. */
const COMMITS = { most: 100, mostBytes: 16 * 1024 * 1024 };

const NEEDS_COMMITS =
  /%\{(first_commit|first_multiline_commit|first_multiline_commit_description|all_commits|co_authored_by)\}/;

async function getCommits(repository: Repository, from: string, to: string): Promise<DescribedCommit[]> {
  return (await readRange(repository, { from, to }, COMMITS)).commits.toReversed();
}

/**
 * The data for the messages of a merge, limited to what the templates use.
 * @param templates of the messages that are generated from one
 */
export async function describeMerge(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  { merger, templates }: { merger: Signature; templates: readonly string[] },
  commits: { repository: Repository; target: string; head: string },
): Promise<DescribedMergeRequest> {
  const wantsCommits = templates.some((template) => NEEDS_COMMITS.test(template));
  const [people, issues, described] = await Promise.all([
    getPeople(ctx, request),
    closingIssues(ctx, request),
    wantsCommits ? getCommits(commits.repository, commits.target, commits.head) : [],
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
