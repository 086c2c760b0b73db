import type { SignedInContext } from '../../core/context/context.js';
import { allOf, unnested, unnestedRows } from '../../core/database/expressions.js';
import { readLog, RevisionNotFound } from '../../git/index.js';
import { issueIdsIn, issuesClosedBy } from '../../planning/issue-links/issues-in-text.js';
import { noteCrossReferences } from '../../planning/issue-links/cross-references.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequest } from '../merge-requests/merge-request.entity.js';

/** Maximum number of commits whose messages are read, newest first. */
const MOST_COMMITS = 100;
/** Maximum number of references read per text. */
const MOST = 100;
/** Maximum length of all texts together; the rest is not read. */
const MOST_TEXT = 256 * 1024;

const USERS: ReadonlySet<string> = new Set(['project_member']);

/** The messages of its commits; none where a push took them away. */
async function getMessages(ctx: SignedInContext, request: MergeRequest): Promise<string> {
  const { head_sha: head, start_sha: start } = request;
  if (!head || !start) return '';
  const repository = openRepository(ctx, { id: request.project_id });
  try {
    const commits = await readLog(repository, { revisions: [head], exclude: [start], limit: MOST_COMMITS });
    return commits.map(({ message }) => message).join('\n\n');
  } catch (error) {
    if (error instanceof RevisionNotFound) return '';
    throw error;
  }
}

/** Whether it goes into the default branch of a project that has issues closed by that. */
async function closesIssues(ctx: SignedInContext, { project_id, target_branch }: MergeRequest): Promise<boolean> {
  const row = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('projects as p')
    .innerJoin('project_settings as s', 's.project_id', 'p.id')
    .select('p.id')
    .where('p.id', '=', project_id)
    .where('p.default_branch', '=', target_branch)
    .where((eb) => eb.ref('s.autoclose_referenced_issues'))
    .executeTakeFirst();
  return row !== undefined;
}

async function storeIssues(
  ctx: SignedInContext,
  { id, project_id }: MergeRequest,
  issueIds: readonly number[],
  closed: ReadonlySet<number>,
): Promise<void> {
  const ids = issueIds.toSorted((a, b) => a - b);
  const rows = ids.map((issue) => ({ id: issue, closes: closed.has(issue) }));
  const issues = unnestedRows(rows, { id: 'bigint', closes: 'boolean' }).as('u');
  const db = ctx.em.getKysely<MergeRequestsDatabase>();
  await db
    .deleteFrom('merge_requests_closing_issues as x')
    .where('x.merge_request_id', '=', id)
    .where((eb) => {
      const same = eb
        .selectFrom(issues)
        .select(eb.lit(1).as('one'))
        .whereRef('u.id', '=', 'x.issue_id')
        .whereRef('u.closes', '=', 'x.closes');
      return eb.not(eb.exists(same));
    })
    .execute();
  if (ids.length === 0) return;
  await db
    .insertInto('merge_requests_closing_issues')
    .columns(['project_id', 'merge_request_id', 'issue_id', 'closes'])
    .expression((eb) =>
      eb
        .selectFrom(issues)
        .innerJoin('issues as i', 'i.id', 'u.id')
        .select([
          eb.cast<number>(eb.val(project_id), 'bigint').as('project_id'),
          eb.cast<number>(eb.val(id), 'bigint').as('merge_request_id'),
          'i.id as issue_id',
          'u.closes',
        ])
        .orderBy('i.id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function storeUsers(ctx: SignedInContext, { id, project_id, title, description }: MergeRequest): Promise<void> {
  const container = { kind: 'project', id: project_id } as const;
  const texts = [
    { written: title, form: 'line', container } as const,
    { written: description ?? '', form: 'text', container } as const,
  ];
  const found = `${title}${description ?? ''}`.includes('@')
    ? await ctx.services.markdown.linksOf(ctx, texts, USERS, MOST)
    : [];
  const users = [
    ...new Set(found.flatMap(({ link }) => (typeof link.data?.user === 'number' ? [link.data.user] : []))),
  ];
  await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .with('gone', (db) =>
      db
        .deleteFrom('merge_request_mentions')
        .where('merge_request_id', '=', id)
        .where('user_id', '<>', allOf(users, 'bigint')),
    )
    .insertInto('merge_request_mentions')
    .columns(['project_id', 'merge_request_id', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom(unnested(users, 'bigint').as('u'))
        .select([
          eb.cast<number>(eb.val(project_id), 'bigint').as('project_id'),
          eb.cast<number>(eb.val(id), 'bigint').as('merge_request_id'),
          'u.value as user_id',
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Records the issues that an open merge request mentions in its title, description and commits, those that it will
 * close once merged, and the mentioned users: those visible to the caller, who wrote or pushed the text. Idempotent.
 */
export async function noteIssues(ctx: SignedInContext, request: MergeRequest, project: ProjectSummary): Promise<void> {
  await storeUsers(ctx, request);
  const own = `${request.title}\n\n${request.description ?? ''}`;
  const text = `${own}\n\n${await getMessages(ctx, request)}`.slice(0, MOST_TEXT);
  const mentions = /#|\/-\//.test(text);
  const closed = mentions && (await closesIssues(ctx, request)) ? await issuesClosedBy(ctx, project, text) : [];
  const mentionedIds = mentions ? await issueIdsIn(ctx, project, text) : [];
  const all = [...new Set([...closed, ...mentionedIds])];
  await storeIssues(ctx, request, all, new Set(closed));
  await noteCrossReferences(ctx, { merge_request: request, project }, all);
}
