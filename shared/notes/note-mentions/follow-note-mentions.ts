import { isPrincipal } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { keepNoteMentions } from './note-mention.jobs.js';
import { keepMentionsOf } from './keep-note-mentions.js';

/** Longer notes are looked at by a job: nobody's transaction waits for them. */
const SHORT = 16 * 1024;

/** Looks through what notes say now for whom and what they mention. */
export async function followNoteMentions(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'note.created' | 'note.updated'>[],
): Promise<void> {
  if (isPrincipal(ctx.caller)) return;
  for (const { type, note } of events)
    if (note.note.length <= SHORT) await keepMentionsOf(ctx as Context, note, type === 'note.created');
    else await ctx.jobs.send(keepNoteMentions, { note_id: note.id, user_id: ctx.caller.id });
}
