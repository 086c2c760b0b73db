import { out, shape } from '../../core/operations/shape.js';
import { userSummary } from '../users/user.shape.js';
import type { SpamLogRecord } from './spam-log.finder.js';

/** An entry of the spam log (graphql.md section 6.2, 7). */
export const spamLogShape = shape<SpamLogRecord>('SpamLog', {
  id: out.integer((entry) => entry.id),
  user: out.record(userSummary, (entry) => entry.user),
  noteable_type: out.text((entry) => entry.noteable_type),
  title: out.text((entry) => entry.title),
  text: out.text((entry) => entry.text),
  source_ip: out.nullableText((entry) => entry.source_ip ?? null),
  user_agent: out.text((entry) => entry.user_agent),
  via_api: out.boolean((entry) => entry.via_api),
  verdict: out.text((entry) => entry.verdict),
  recaptcha_verified: out.boolean((entry) => entry.recaptcha_verified),
  submitted_as_ham: out.boolean((entry) => entry.submitted_as_ham),
  created_at: out.instant((entry) => entry.created_at),
});
