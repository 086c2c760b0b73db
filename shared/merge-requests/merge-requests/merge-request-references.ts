import type { Context } from '../../core/context/context.js';
import type { ReferenceLink, ReferenceSource, MarkdownReference } from '../../core/markdown/reference-source.js';
import { unnestedRows } from '../../core/database/expressions.js';
import { referenceFrom } from '../../planning/issues/issue-references.js';
import { referencedProjects } from '../../tenancy/containers/referenced-projects.js';
import type { ReferencedProjects } from '../../tenancy/containers/referenced-projects.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

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
  references: readonly MarkdownReference[],
): Promise<Referenced[]> {
  const targets = [...references.entries()].flatMap(([at, one]) => {
    const project = projects.of(one);
    return project ? [{ at, project_id: project.id, number: Number(one.name) }] : [];
  });
  if (targets.length === 0) return [];
  return ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom(unnestedRows(targets, { at: 'int', project_id: 'bigint', number: 'bigint' }).as('w'))
    .innerJoin('merge_requests as i', (join) =>
      join.onRef('i.project_id', '=', 'w.project_id').onRef('i.iid', '=', 'w.number'),
    )
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select(['w.at', 'i.id', 'i.iid', 'i.title', 'i.project_id', 'r.path as full_path'])
    .where(visibleMergeRequests(ctx))
    .execute();
}

function linkTo(
  ctx: Context,
  projects: ReferencedProjects,
  reference: MarkdownReference,
  found: Referenced,
): ReferenceLink {
  const { id, iid, title, project_id, full_path } = found;
  const around = projects.around(reference);
  const from = around && ({ kind: 'project', full_path: around.full_path } as const);
  return {
    href: `${ctx.config.externalUrl}/${full_path}/-/merge_requests/${iid}`,
    text: referenceFrom(from, full_path, `!${iid}`),
    title,
    data: { project: project_id, merge_request: id },
  };
}

/** `!1`, and its like of other projects. */
export const mergeRequestReferences: ReferenceSource = {
  syntaxes: [{ kind: 'merge_request', sigil: '!', nameForms: ['number'], prefixed: true, routes: ['merge_requests'] }],
  async resolve(page, references) {
    const projects = await page.once(referencedProjects);
    const found = await findReferenced(page.ctx, projects, references);
    return new Map(
      found.flatMap((one) => {
        const reference = references[one.at];
        return reference ? [[reference, linkTo(page.ctx, projects, reference, one)] as const] : [];
      }),
    );
  },
};
