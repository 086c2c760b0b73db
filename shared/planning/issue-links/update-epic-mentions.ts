import { isPrincipal } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { noteCrossReferences } from './cross-references.js';

/** Number of characters of a description to scan, so that the transaction is not delayed by longer texts. */
const MOST_LOOKED_AT = 16 * 1024;
/** Maximum number of references read per text. */
const MOST = 100;

const ISSUES: ReadonlySet<string> = new Set(['issue']);

const isText = ({ attribute }: { attribute: string }) => attribute === 'title' || attribute === 'description';

/** Reports to issues that an epic mentions them in its title or description, limited to those visible to its author. */
export async function updateEpicMentions(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'epic.created' | 'epic.changed'>[],
): Promise<void> {
  if (isPrincipal(ctx.caller)) return;
  for (const { type, epic, group, changes } of events) {
    const written = `${epic.title}\n\n${epic.description ?? ''}`.slice(0, MOST_LOOKED_AT);
    // A confidential epic must not reveal its existence.
    if (epic.confidential || (type === 'epic.changed' && !changes.some(isText)) || !/#|\/-\//.test(written)) continue;
    const text = { written, form: 'text', container: { kind: 'group', id: group.id } } as const;
    const found = await ctx.services.markdown.linksOf(ctx as Context, [text], ISSUES, MOST);
    const ids = found.flatMap(({ link }) => (typeof link.data?.issue === 'number' ? [link.data.issue] : []));
    await noteCrossReferences(ctx as Context, { epic, group }, [...new Set(ids)]);
  }
}
