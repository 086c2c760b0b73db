import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import type { IssueRecord } from '../issues/issue.entity.js';
import { IssueLink } from './issue-link.entity.js';
import type { IssueLinkRecord, StoredLinkType } from './issue-link.entity.js';
import { findIssueLink, lockIssues } from './issue-link.finder.js';
import { issueLinkPolicy } from './issue-link.policy.js';

/** @throws NotFound where the caller may not change one of the two */
function requireUnlinkable(ctx: Context, { source, target }: IssueLinkRecord): void {
  const allowed = [source, target].every((issue) => issueLinkPolicy.link_issue(ctx.caller, issue));
  if (!allowed) throw NotFound.saying('No Issue Link found');
}

/**
 * Takes a link of an issue away from both sides (issue-links.md sections 5, 7).
 * @throws NotFound for one of other issues, and where the caller may not change both
 */
export async function removeIssueLink(ctx: Context, of: IssueRecord, id: number): Promise<IssueLinkRecord> {
  const link = await findIssueLink(ctx, of, id);
  requireUnlinkable(ctx, link);
  requireUnmodified(ctx, link);
  await lockIssues(ctx, [link.source_id, link.target_id]);
  if ((await ctx.em.nativeDelete(IssueLink, { id: link.id })) === 0) throw new NotFound();
  const { source, target } = link;
  ctx.record({
    type: 'issue_link.deleted',
    source: { issue: source, project: source.project },
    target: { issue: target, project: target.project },
    link_type: link.link_type as StoredLinkType,
  });
  return link;
}
