import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { submitHam } from '../tenancy.jobs.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../users/user.serializer.js';
import { usesChecker } from './checker.js';
import { SpamLog } from './spam-log.entity.js';
import { findSpamLog, onSpamLogs, spamLog, spamLogs } from './spam-log.finder.js';
import type { SpamLogRecord } from './spam-log.finder.js';

/** List the spam log, newest first. */
export const listSpamLogs = operation({
  name: 'listSpamLogs',
  summary: 'List the spam log',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  statements: 4,
  params: { user_id: optional(integer()).describe('ID of the author of the logged content.') },
  run: (_ctx, _instance, { user_id: id }) =>
    Promise.resolve(spamLogs(id === undefined ? [] : [onSpamLogs('s.user_id', '=', id)])),
});

export const getSpamLog = operation({
  name: 'getSpamLog',
  summary: 'Read an entry of the spam log',
  resource: spamLog,
  authentication: 'administrator',
  kind: 'read',
  statements: 3,
  run: (_ctx, found) => Promise.resolve(found),
});

export const deleteSpamLog = operation({
  name: 'deleteSpamLog',
  summary: 'Delete an entry of the spam log',
  resource: spamLog,
  authentication: 'administrator',
  kind: 'write',
  conditional: true,
  async run(ctx, found) {
    if ((await ctx.em.nativeDelete(SpamLog, { id: found.id })) === 0) throw new NotFound(spamLog.noun);
    ctx.record({ type: 'spam_log.deleted', spam_log_id: found.id, user: found.user });
  },
});

async function markAsHam(ctx: Context, found: SpamLogRecord): Promise<SpamLogRecord> {
  if (found.submitted_as_ham) return found;
  await ctx.em.nativeUpdate(SpamLog, { id: found.id }, { submitted_as_ham: true, updated_at: ctx.clock.now() });
  if (usesChecker(ctx, 'akismet')) await ctx.jobs.send(submitHam, { spam_log_id: found.id });
  ctx.record({ type: 'spam_log.marked_as_ham', spam_log_id: found.id, user: found.user });
  return findSpamLog(ctx, found.id);
}

/** Mark a text as not spam and report it to Akismet if enabled. Does not carry out the refused operation. */
export const markSpamLogAsHam = operation({
  name: 'markSpamLogAsHam',
  summary: 'Mark an entry of the spam log as ham',
  resource: spamLog,
  authentication: 'administrator',
  kind: 'write',
  run: markAsHam,
});

/** An entry of the spam log (graphql.md section 6.2, 7). */
export const spamLogSerializer = serializer<SpamLogRecord>('SpamLog', {
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
