import type { Context } from '../../core/context/context.js';
import { Conflict, Invalid, NotFound } from '../../core/values/errors.js';
import { integer, list, oneOf, withDefault } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { createIssueLink } from './create-issue-link.js';
import { readableIssue, lockIssues } from './issue-link.finder.js';
import { removeIssueLink } from './remove-issue-link.js';

/** Issues that one request links (graphql.md section 2). */
const MOST = 10;

/** An issue by its global id, not locked. */
const issueById: Resource<IssueRecord> = {
  noun: 'Issue',
  params: { id: integer().describe('Global ID of the issue.') },
  find: (ctx, input: { id: number }) => readableIssue(ctx, input.id),
  about: (record) => aboutProject(record.project),
};

const othersParam = {
  issue_ids: list(integer(), { max: MOST }).describe(`Global IDs of at most ${MOST} other issues.`),
};

/** @throws Invalid where there are none */
function requireSome(ids: readonly number[]): void {
  if (ids.length === 0) throw new Invalid('No linked items ids were given');
}

/** The other issues, all locked with this one. @throws NotFound where the caller may not read one of them */
async function hold(ctx: Context, found: IssueRecord, ids: readonly number[]): Promise<IssueRecord[]> {
  requireSome(ids);
  const others: IssueRecord[] = [];
  for (const id of new Set(ids)) others.push(await readableIssue(ctx, id));
  await lockIssues(ctx, [found.id, ...others.map(({ id }) => id)]);
  return others;
}

/** Link an issue with several others, all or none of them. */
export const linkIssues = operation({
  name: 'linkIssues',
  summary: 'Link an issue with several others',
  resource: issueById,
  can: can(issuePolicy, 'read_issue'),
  kind: 'write',
  statements: 100,
  params: {
    ...othersParam,
    link_type: withDefault(oneOf(['relates_to', 'blocks', 'is_blocked_by']), 'relates_to').describe(
      'Relation of this issue to the other issues.',
    ),
  },
  async run(ctx, found, input) {
    for (const other of await hold(ctx, found, input.issue_ids))
      try {
        await createIssueLink(ctx, found, other, input.link_type);
      } catch (error) {
        throw error instanceof Conflict ? new Invalid(error.message) : error;
      }
    return found;
  },
});

/** Take the links of an issue with several others away, all or none of them. */
export const unlinkIssues = operation({
  name: 'unlinkIssues',
  summary: 'Unlink an issue from several others',
  resource: issueById,
  can: can(issuePolicy, 'read_issue'),
  kind: 'write',
  statements: 100,
  params: othersParam,
  async run(ctx, found, input) {
    for (const other of await hold(ctx, found, input.issue_ids)) {
      const [first, second] = [Math.min(found.id, other.id), Math.max(found.id, other.id)];
      const link = await ctx.em
        .getKysely<PlanningDatabase>()
        .selectFrom('issue_links as l')
        .select('l.id')
        .where((eb) => eb(eb.fn<number>('least', ['l.source_id', 'l.target_id']), '=', first))
        .where((eb) => eb(eb.fn<number>('greatest', ['l.source_id', 'l.target_id']), '=', second))
        .executeTakeFirst();
      if (!link) throw new NotFound();
      await removeIssueLink(ctx, found, link.id);
    }
    return found;
  },
});
