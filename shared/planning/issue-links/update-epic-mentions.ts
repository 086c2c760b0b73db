import { isPrincipal } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { noteCrossReferences } from './cross-references.js';

/** Characters of a description that are looked at: nobody's transaction waits for more. */
const MOST_LOOKED_AT = 16 * 1024;
/** References of one text that are looked at. */
const MOST = 100;

const ISSUES: ReadonlySet<string> = new Set(['issue']);

const isText = ({ attribute }: { attribute: string }) => attribute === 'title' || attribute === 'description';

/** Tells issues that an epic names by its title or description, as far as whoever wrote it sees them. */
export async function updateEpicMentions(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'epic.created' | 'epic.changed'>[],
): Promise<void> {
  if (isPrincipal(ctx.caller)) return;
  for (const { type, epic, group, changes } of events) {
    const written = `${epic.title}\n\n${epic.description ?? ''}`.slice(0, MOST_LOOKED_AT);
    // What is confidential tells nobody that it is there.
    if (epic.confidential || (type === 'epic.changed' && !changes.some(isText)) || !/#|\/-\//.test(written)) continue;
    const text = { written, form: 'text', container: { kind: 'group', id: group.id } } as const;
    const found = await ctx.services.markdown.linksOf(ctx as Context, [text], ISSUES, MOST);
    const ids = found.flatMap(({ link }) => (typeof link.data?.issue === 'number' ? [link.data.issue] : []));
    await noteCrossReferences(ctx as Context, { epic, group }, [...new Set(ids)]);
  }
}
