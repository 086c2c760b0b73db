import type { Context } from '../../core/context.js';
import type { ReferenceLink, ReferenceSource, WantedReference } from '../../core/markdown/reference-source.js';
import { sql } from '../../core/sql.js';
import { visibleEpics } from '../epics/visible-epics.js';

/** An epic that a text refers to. */
interface Referenced {
  at: number;
  id: number;
  iid: number;
  title: string;
  group_id: number;
  full_path: string;
}

/** The full path of the group; in URLs `groups/` stands before it. */
const pathOf = ({ path }: WantedReference): string | null => path?.toLowerCase().replace(/^groups\//, '') ?? null;

/** The epics that references lead to, as far as the caller may see them: one statement. */
async function findEpics(ctx: Context, wanted: readonly WantedReference[]): Promise<Referenced[]> {
  const rows = [...wanted.entries()].filter(([, { path, place }]) => path !== null || place !== null);
  const column = <V>(value: (one: WantedReference) => V) => rows.map(([, one]) => value(one));
  const placeOf = (kind: string) => (one: WantedReference) =>
    one.path === null && one.place?.kind === kind ? one.place.id : null;
  return ctx.query<Referenced>(sql`
    select w.at as "at", e.id as "id", e.iid as "iid", e.title as "title", n.id as "group_id", r.path as "full_path"
      from unnest(${rows.map(([at]) => at)}::integer[], ${column(placeOf('group'))}::bigint[],
        ${column(placeOf('project'))}::bigint[], ${column(pathOf)}::text[],
        ${column(({ name }) => Number(name))}::bigint[]) as w (at, group_id, project_id, path, number)
      join namespaces n on n.id = coalesce(w.group_id,
        (select p.namespace_id from projects p where p.id = w.project_id),
        (select named.namespace_id from routes named where lower(named.path) = w.path))
      join group_settings gs on gs.namespace_id = n.id
      join routes r on r.namespace_id = n.id
      join epics e on e.namespace_id = n.id and e.iid = w.number
     where ${visibleEpics(ctx, 'e')}`);
}

/** `&5` in a group or a project of it, `group&5` elsewhere. */
function linkTo(ctx: Context, { path }: WantedReference, epic: Referenced): ReferenceLink {
  return {
    href: `${ctx.config.externalUrl}/groups/${epic.full_path}/-/epics/${epic.iid}`,
    words: `${path === null ? '' : epic.full_path}&${epic.iid}`,
    title: epic.title,
    data: { group: epic.group_id, epic: epic.id },
  };
}

/** `&1` and its like of other groups: epics, from Premium on. */
export const epicReferences: ReferenceSource = {
  syntaxes: [{ kind: 'epic', sigil: '&', named: ['number'], prefixed: true, routes: ['epics'] }],
  async resolve({ ctx }, wanted) {
    if (!ctx.hasPlan('premium')) return new Map();
    const found = await findEpics(ctx, wanted);
    return new Map(
      found.flatMap((epic): [WantedReference, ReferenceLink][] => {
        const reference = wanted[epic.at];
        return reference ? [[reference, linkTo(ctx, reference, epic)]] : [];
      }),
    );
  },
};
