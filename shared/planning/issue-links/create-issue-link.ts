import type { Context } from '../../core/context/context.js';
import { scalar, unnested } from '../../core/database/expressions.js';
import { Conflict, Forbidden, Invalid } from '../../core/values/errors.js';
import { referenceFrom } from '../issues/issue-references.js';
import type { IssueRecord } from '../issues/issue.entity.js';
import type { IssueLink, IssueLinkRecord, LinkType } from './issue-link.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { lockIssues } from './issue-link.finder.js';
import { issueLinkPolicy } from './issue-link.policy.js';

/** Links that an issue may have (issue-links.md section 4.6). */
const MAX_LINKS = 100;

const ROLE_NEEDED = "Couldn't link issues. You must have at least the Planner role in both projects.";

/** The direction in which a link is stored (issue-links.md section 3). */
function stored(from: IssueRecord, to: IssueRecord, type: LinkType) {
  return type === 'is_blocked_by'
    ? { source: to, target: from, link_type: 'blocks' as const }
    : { source: from, target: to, link_type: type };
}

/** @throws Conflict where the two are linked already, in whatever way */
async function requireUnlinked(ctx: Context, one: IssueRecord, other: IssueRecord): Promise<void> {
  const existing = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('issue_links as l')
    .select('l.id')
    .where((eb) => eb(eb.fn('least', ['l.source_id', 'l.target_id']), '=', Math.min(one.id, other.id)))
    .where((eb) => eb(eb.fn('greatest', ['l.source_id', 'l.target_id']), '=', Math.max(one.id, other.id)))
    .executeTakeFirst();
  if (existing) throw new Conflict('Issue(s) already assigned');
}

/** How many links each of two issues has. */
async function linkCounts(ctx: Context, ids: readonly number[]): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom(unnested(ids, 'bigint').as('u'))
    .select((eb) => {
      const count = (side: 'l.source_id' | 'l.target_id') =>
        scalar(
          eb
            .selectFrom('issue_links as l')
            .select((of) => of.fn.countAll<number>().as('count'))
            .whereRef(side, '=', 'u.value'),
        );
      return eb(count('l.source_id'), '+', count('l.target_id')).as('count');
    })
    .execute();
  return rows.map(({ count }) => count);
}

/** @throws Invalid */
async function requireRoom(ctx: Context, from: IssueRecord, to: IssueRecord): Promise<void> {
  const createLinkError = (why: string) =>
    new Invalid(`${referenceFrom(from.reference_base, to.full_path, `#${to.iid}`)} cannot be added: ${why}`, 422);
  if (from.id === to.id) throw createLinkError('cannot be related to itself');
  const counts = await linkCounts(ctx, [from.id, to.id]);
  if (counts.some((count) => count >= MAX_LINKS))
    throw createLinkError(`This issue would exceed the maximum number of linked issues (${MAX_LINKS}).`);
}

/**
 * Links two issues that the caller may read, as seen from the first.
 * @throws Forbidden by the plan or the caller's role, Conflict, Invalid; in the order of issue-links.md section 6
 */
export async function createIssueLink(
  ctx: Context,
  from: IssueRecord,
  to: IssueRecord,
  type: LinkType,
): Promise<IssueLinkRecord> {
  if (type !== 'relates_to' && !ctx.hasPlan('premium'))
    throw Forbidden.saying('Blocked issues not available for current license');
  await lockIssues(ctx, [from.id, to.id]);
  await requireUnlinked(ctx, from, to);
  const allowed = [from, to].every((issue) => issueLinkPolicy.link_issue(ctx.caller, issue));
  if (!allowed) throw Forbidden.saying(ROLE_NEEDED);
  await requireRoom(ctx, from, to);
  const { source, target, link_type } = stored(from, to, type);
  const now = ctx.clock.now();
  const link: IssueLink = await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('issue_links')
    .values({
      project_id: source.project_id,
      source_id: source.id,
      target_id: target.id,
      link_type,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  ctx.record({
    type: 'issue_link.created',
    source: { issue: source, project: source.project },
    target: { issue: target, project: target.project },
    link_type,
  });
  return { ...link, source, target };
}
