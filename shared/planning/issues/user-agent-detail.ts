import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { IssuableRef } from '../issuables/issuable-type.js';
import { issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import { IssueUserAgent } from './issue.entity.js';

const MAX_USER_AGENT = 255;

/** Keeps with what, and from where, an issue is made; of requests that say neither, nothing. */
export async function noteUserAgent(ctx: Context, { id, project_id }: IssuableRef): Promise<void> {
  const { userAgent, ip } = ctx.origin;
  if (!userAgent || ip === null) return;
  const cleanUserAgent = userAgent.slice(0, MAX_USER_AGENT).replaceAll('\0', '').toWellFormed();
  await ctx.em.insert(IssueUserAgent, { issue_id: id, project_id, user_agent: cleanUserAgent, ip_address: ip });
}

/** The client that created an issue; no data is sent to an anti-spam service. */
export const userAgentDetail = serializer<IssueUserAgent>('UserAgentDetail', {
  user_agent: out.text((detail) => detail.user_agent),
  ip_address: out.text((detail) => detail.ip_address),
  akismet_submitted: out.boolean(() => false),
});

/** Read the client that created an issue: administrators. @throws NotFound if it is unknown */
export const getIssueUserAgent = operation({
  name: 'getIssueUserAgent',
  summary: 'Read the user agent details of an issue',
  resource: issue,
  can: can(issuePolicy, 'read_user_agent'),
  kind: 'read',
  async run(ctx, found) {
    const detail = await ctx.em.findOne(IssueUserAgent, { issue_id: found.id });
    if (!detail) throw new NotFound('UserAgentDetail');
    return detail;
  },
});
