import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { roleIn } from '../../core/policy.js';
import { sql } from '../../core/sql.js';
import type { UserOrAnonymous } from '../../core/callers.js';
import { containerColumn } from '../../core/container.js';
import { containerOfGroup, containerOfProject } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { NamedLabel } from './issuable-changes.js';

/** A project, or for epics a group: what lies in it can have its labels, and those of the groups above it. */
export type LabelPlace = ProjectRecord | GroupRecord;

const containerOf = (found: LabelPlace): Container =>
  'namespace' in found ? containerOfProject(found) : containerOfGroup(found);

const MAX_TITLE = 255;
/** Of labels that are made because something was to have them. */
const DEFAULT_COLOR = '#6699cc';

/** @throws Invalid */
function requireTitles(titles: readonly string[]): void {
  if (titles.some((title) => [...title].length > MAX_TITLE))
    throw new Invalid({ labels: [`title is too long (maximum is ${MAX_TITLE} characters)`] });
}

/**
 * Labels of these titles that things in a project or group can have: its own, else those of the groups that it lies in, the
 * nearest first. Answers them in the order of the titles, each once.
 */
export async function knownLabels(ctx: Context, found: LabelPlace, titles: readonly string[]): Promise<NamedLabel[]> {
  const { kind, id, namespaceIds } = containerOf(found);
  return ctx.query<NamedLabel>(sql`
    select distinct on (wanted.at) l.id as "id", l.title as "title"
      from unnest(${titles}::text[]) with ordinality as wanted (title, at)
      join labels l on l.title = wanted.title
       and (l.${containerColumn(kind)} = ${id} or l.namespace_id = any(${[...namespaceIds]}::bigint[]))
     order by wanted.at, l.project_id nulls last,
       array_position(${[...namespaceIds]}::bigint[], l.namespace_id) desc`);
}

/** Made by whoever comes first; titles in order, so that nobody waits in a circle. */
async function makeLabels(ctx: Context, found: LabelPlace, titles: readonly string[]): Promise<void> {
  const now = ctx.clock.now();
  const { kind, id, named } = containerOf(found);
  const column = containerColumn(kind);
  const made = await ctx.query<NamedLabel>(sql`
    insert into labels (${column}, title, color, archived, created_at, updated_at)
    select ${id}, u.title, ${DEFAULT_COLOR}, false, ${now}, ${now}
      from unnest(${[...titles].sort()}::text[]) as u (title)
    on conflict (${column}, title) where ${column} is not null do nothing
    returning id as "id", title as "title"`);
  for (const label of made) ctx.record({ type: 'label.created', container: named, label });
}

/** Unknown labels are made for Reporters and above, and passed over for others (core-resources.md section 6). */
const mayMakeLabels = (caller: UserOrAnonymous, found: LabelPlace) => roleIn(caller, found, 'reporter');

/**
 * The labels that titles name in a project or group, in their order, each once; unknown ones are made where the caller may.
 * @throws Invalid for a title that is too long
 */
export async function labelsOfTitles(
  ctx: Context,
  found: LabelPlace,
  titles: readonly string[],
): Promise<NamedLabel[]> {
  const wanted = [...new Set(titles.map((title) => title.trim()).filter((title) => title !== ''))];
  if (wanted.length === 0) return [];
  requireTitles(wanted);
  const known = await knownLabels(ctx, found, wanted);
  const titlesKnown = new Set(known.map(({ title }) => title));
  const unknown = wanted.filter((title) => !titlesKnown.has(title));
  if (unknown.length === 0 || !mayMakeLabels(ctx.caller, found)) return known;
  await makeLabels(ctx, found, unknown);
  return knownLabels(ctx, found, wanted);
}
