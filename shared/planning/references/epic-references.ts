import type { Context } from '../../core/context/context.js';
import { scalar, unnestedRows } from '../../core/database/expressions.js';
import type { ReferenceLink, ReferenceSource, MarkdownReference } from '../../core/markdown/reference-source.js';
import type { PlanningDatabase } from '../planning.entities.js';
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

/** The full path of the group; URLs prefix it with `groups/`. */
const getPath = ({ path }: MarkdownReference): string | null => path?.toLowerCase().replace(/^groups\//, '') ?? null;

/** The epics that references lead to, as far as the caller may see them: one statement. */
async function findEpics(ctx: Context, references: readonly MarkdownReference[]): Promise<Referenced[]> {
  const rows = [...references.entries()].filter(([, { path, container }]) => path !== null || container !== null);
  const getContainerId = (kind: string) => (one: MarkdownReference) =>
    one.path === null && one.container?.kind === kind ? one.container.id : null;
  const values = rows.map(([at, one]) => ({
    at,
    group_id: getContainerId('group')(one),
    project_id: getContainerId('project')(one),
    path: getPath(one),
    number: Number(one.name),
  }));
  const types = { at: 'int', group_id: 'bigint', project_id: 'bigint', path: 'text', number: 'bigint' } as const;
  return ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom(unnestedRows(values, types).as('w'))
    .innerJoin('namespaces as n', (join) =>
      join.on((eb) => {
        const ofProject = eb.selectFrom('projects as p').select('p.namespace_id').whereRef('p.id', '=', 'w.project_id');
        const ofPath = eb
          .selectFrom('routes as named')
          .select('named.namespace_id')
          .where((of) => of(of.fn('lower', ['named.path']), '=', of.ref('w.path')));
        return eb('n.id', '=', eb.fn.coalesce('w.group_id', scalar(ofProject), scalar(ofPath)).$castTo<number>());
      }),
    )
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .innerJoin('routes as r', 'r.namespace_id', 'n.id')
    .innerJoin('epics as e', (join) => join.onRef('e.namespace_id', '=', 'n.id').onRef('e.iid', '=', 'w.number'))
    .select(['w.at', 'e.id', 'e.iid', 'e.title', 'n.id as group_id', 'r.path as full_path'])
    .where(visibleEpics(ctx, 'e'))
    .execute();
}

/** `&5` in a group or a project of it, `group&5` elsewhere. */
function linkTo(ctx: Context, { path }: MarkdownReference, epic: Referenced): ReferenceLink {
  return {
    href: `${ctx.config.externalUrl}/groups/${epic.full_path}/-/epics/${epic.iid}`,
    text: `${path === null ? '' : epic.full_path}&${epic.iid}`,
    title: epic.title,
    data: { group: epic.group_id, epic: epic.id },
  };
}

/** `&1` and its like of other groups: epics, from Premium on. */
export const epicReferences: ReferenceSource = {
  syntaxes: [{ kind: 'epic', sigil: '&', nameForms: ['number'], prefixed: true, routes: ['epics'] }],
  async resolve({ ctx }, references) {
    if (!ctx.hasPlan('premium')) return new Map();
    const found = await findEpics(ctx, references);
    return new Map(
      found.flatMap((epic): [MarkdownReference, ReferenceLink][] => {
        const reference = references[epic.at];
        return reference ? [[reference, linkTo(ctx, reference, epic)]] : [];
      }),
    );
  },
};
