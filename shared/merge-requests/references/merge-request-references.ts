import type { Context } from '../../core/context.js';
import type { ReferenceLink, ReferenceSource, WantedReference } from '../../core/markdown/reference-source.js';
import { sql } from '../../core/sql.js';
import { referenceFrom } from '../../planning/issues/issue-references.js';
import { referencedProjects } from '../../tenancy/references/referenced-projects.js';
import type { ReferencedProjects } from '../../tenancy/references/referenced-projects.js';
import { visibleMergeRequests } from '../merge-requests/visible-merge-requests.js';

interface Referenced {
  readonly at: number;
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly project_id: number;
  readonly full_path: string;
}

/** The merge requests that references lead to, as far as the caller may read them: one statement. */
async function findReferenced(
  ctx: Context,
  projects: ReferencedProjects,
  wanted: readonly WantedReference[],
): Promise<Referenced[]> {
  const placed = [...wanted.entries()].flatMap(([at, one]) => {
    const project = projects.of(one);
    return project ? [{ at, project: project.id, number: Number(one.name) }] : [];
  });
  if (placed.length === 0) return [];
  return ctx.query<Referenced>(sql`
    select w.at as "at", i.id as "id", i.iid as "iid", i.title as "title", i.project_id as "project_id", r.path as "full_path"
      from unnest(${placed.map(({ at }) => at)}::integer[], ${placed.map(({ project }) => project)}::bigint[],
                  ${placed.map(({ number }) => number)}::bigint[]) as w (at, project_id, number)
      join merge_requests i on i.project_id = w.project_id and i.iid = w.number
      join projects p on p.id = i.project_id join routes r on r.project_id = p.id
     where ${visibleMergeRequests(ctx)}`);
}

function linkTo(ctx: Context, projects: ReferencedProjects, wanted: WantedReference, found: Referenced): ReferenceLink {
  const { id, iid, title, project_id, full_path } = found;
  const around = projects.around(wanted);
  const from = around && ({ kind: 'project', full_path: around.full_path } as const);
  return {
    href: `${ctx.config.externalUrl}/${full_path}/-/merge_requests/${iid}`,
    words: referenceFrom(from, full_path, `!${iid}`),
    title,
    data: { project: project_id, merge_request: id },
  };
}

/** `!1`, and its like of other projects. */
export const mergeRequestReferences: ReferenceSource = {
  syntaxes: [{ kind: 'merge_request', sigil: '!', named: ['number'], prefixed: true, routes: ['merge_requests'] }],
  async resolve(page, wanted) {
    const projects = await page.once(referencedProjects);
    const found = await findReferenced(page.ctx, projects, wanted);
    return new Map(
      found.flatMap((one) => {
        const asked = wanted[one.at];
        return asked ? [[asked, linkTo(page.ctx, projects, asked, one)] as const] : [];
      }),
    );
  },
};
