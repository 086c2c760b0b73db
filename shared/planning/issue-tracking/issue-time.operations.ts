import type { SignedInContext } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { optional, text } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { MAX_SECONDS, parseDuration } from '../issuables/duration.js';
import { issueType } from '../issuables/issuable-type.js';
import { insertTimelog } from '../issuables/time-tracking.js';
import { writeIssueChange } from '../issue-edits/write-issue-change.js';
import { issue } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.record.js';

const MAX_SUMMARY = 255;

const duration = (least: number) =>
  text()
    .refine((value) => {
      const seconds = parseDuration(value as string);
      return seconds !== null && seconds >= least && (least >= 0 || seconds !== 0);
    }, 'is invalid')
    .meta({ type: 'string', examples: ['3h30m'] });

const tracked = {
  subject: issue,
  can: can(issuePolicy, 'admin_issue'),
  kind: 'write',
} as const;

/** Read how long an issue was thought to take, and took. */
export const getIssueTimeStats = operation({
  name: 'getIssueTimeStats',
  summary: 'Read the time tracking of an issue',
  subject: issue,
  can: can(issuePolicy, 'read_issue'),
  gate: 'open',
  kind: 'read',
  run: (_ctx, found) => Promise.resolve(found),
});

const setEstimate = (ctx: SignedInContext, found: IssueRecord, seconds: number): Promise<IssueRecord> =>
  seconds === found.time_estimate
    ? Promise.resolve(found)
    : writeIssueChange(ctx, found, { time_estimate: seconds }, [{ attribute: 'time_estimate', to: seconds }]);

/** Say how long an issue will take: Planners and above. */
export const estimateIssue = operation({
  name: 'estimateIssue',
  summary: 'Set the time estimate of an issue',
  ...tracked,
  params: { duration: duration(0).describe('How long it will take: `3h30m`, `1w 2d`; a number alone is hours.') },
  run: (ctx, found, input) => setEstimate(ctx, found, parseDuration(input.duration as string) ?? 0),
});

/** Take the estimate of an issue away. */
export const resetIssueEstimate = operation({
  name: 'resetIssueEstimate',
  summary: 'Reset the time estimate of an issue',
  ...tracked,
  run: (ctx, found) => setEstimate(ctx, found, 0),
});

/** @throws Invalid where more is taken away than was spent, or more was spent than can be kept */
async function spend(
  ctx: SignedInContext,
  found: IssueRecord,
  seconds: number,
  summary: string | null,
): Promise<IssueRecord> {
  const total = found.total_time_spent + seconds;
  if (total < 0) throw new Invalid({ base: ['Time to subtract exceeds the total time spent'] });
  if (total > MAX_SECONDS) throw new Invalid({ time_spent: ['is too much'] });
  await insertTimelog(ctx, issueType, found, { user_id: ctx.caller.id, seconds, summary });
  const spent_on = ctx.clock.now().toISOString().slice(0, 10);
  return writeIssueChange(ctx, found, { total_time_spent: total }, [{ attribute: 'time_spent', seconds, spent_on }]);
}

/** Say how long somebody worked on an issue: Planners and above. */
export const spendTimeOnIssue = operation({
  name: 'spendTimeOnIssue',
  summary: 'Add spent time to an issue',
  ...tracked,
  params: {
    duration: duration(-MAX_SECONDS).describe('How long it took; with `-` in front it is taken away again.'),
    summary: optional(text()).describe('What the time was spent on, in at most 255 characters.'),
  },
  run(ctx, found, input) {
    const summary = input.summary ?? null;
    if (summary !== null && [...summary].length > MAX_SUMMARY)
      throw new Invalid({ summary: [`is too long (maximum is ${MAX_SUMMARY} characters)`] });
    return spend(ctx, found, parseDuration(input.duration as string) ?? 0, summary);
  },
});

/** Take all time away that was spent on an issue. */
export const resetTimeSpentOnIssue = operation({
  name: 'resetTimeSpentOnIssue',
  summary: 'Reset the spent time of an issue',
  ...tracked,
  async run(ctx, found) {
    if (found.total_time_spent === 0) return found;
    const spent = { user_id: ctx.caller.id, seconds: -found.total_time_spent, summary: null };
    await insertTimelog(ctx, issueType, found, spent);
    const spent_on = ctx.clock.now().toISOString().slice(0, 10);
    const change = { attribute: 'time_spent', seconds: null, spent_on } as const;
    return writeIssueChange(ctx, found, { total_time_spent: 0 }, [change]);
  },
});
