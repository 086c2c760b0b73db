import { isPrincipal } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { noteIssueMentions } from '../planning.jobs.js';
import { noteMentions } from './note-mentions.js';

/** Longer texts are scanned by a job so that they do not delay the transaction. */
const SHORT = 16 * 1024;

const isText = ({ attribute }: { attribute: string }) => attribute === 'title' || attribute === 'description';

/** Scans the current text of issues for mentioned users and issues. */
export async function updateMentions(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'issue.created' | 'issue.changed'>[],
): Promise<void> {
  if (isPrincipal(ctx.caller)) return;
  for (const { type, issue, project, changes } of events) {
    const isNew = type === 'issue.created';
    if (!isNew && !changes.some(isText)) continue;
    if ((issue.description ?? '').length <= SHORT) await noteMentions(ctx as Context, issue, project, isNew);
    else
      await ctx.jobs.send(noteIssueMentions, {
        project_id: project.id,
        issue_id: issue.id,
        user_id: ctx.caller.id,
      });
  }
}
