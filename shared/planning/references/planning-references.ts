import type { Context } from '../../core/context/context.js';
import type { ReferenceLink, ReferenceSource, MarkdownReference } from '../../core/markdown/reference-source.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { referencedProjects } from '../../tenancy/containers/referenced-projects.js';
import type { ReferencedProjects } from '../../tenancy/containers/referenced-projects.js';
import { referenceFrom } from '../issues/issue-references.js';
import { findReferenced } from './find-referenced.js';
import type { Referenced } from './find-referenced.js';

/** Where a page of a project or group is: groups have theirs below `/groups`. */
const getPage = (ctx: Context, { in_group, full_path }: Referenced) =>
  `${ctx.config.externalUrl}/${in_group ? 'groups/' : ''}${full_path}/-`;

/** ` in group/project` behind the name of what lies elsewhere. */
const elsewhere = ({ path }: MarkdownReference, { full_path }: Referenced) => (path === null ? '' : ` in ${full_path}`);

/** How an issue is called where the text is: as short as it is clear. */
function formatReference(reference: MarkdownReference, issue: Referenced, from: ProjectRecord | undefined): string {
  if (from) return referenceFrom({ kind: 'project', full_path: from.full_path }, issue.full_path, `#${issue.iid}`);
  const isInGroup = reference.container?.kind === 'group' && reference.container.id === issue.namespace_id;
  const path = isInGroup ? issue.full_path.slice(issue.full_path.lastIndexOf('/') + 1) : issue.full_path;
  return `${path}#${issue.iid}`;
}

function linkTo(
  ctx: Context,
  reference: MarkdownReference,
  found: Referenced,
  from: ProjectRecord | undefined,
): ReferenceLink {
  const { id, iid, title, project_id } = found;
  const page = getPage(ctx, found);
  const projectData: Record<string, number> = project_id === null ? {} : { project: project_id };
  switch (found.kind) {
    case 'issue':
      return {
        href: `${page}/issues/${iid}`,
        text: formatReference(reference, found, from),
        title,
        data: { ...projectData, issue: id },
      };
    case 'milestone':
      return {
        href: `${page}/milestones/${iid}`,
        text: `%${title}${elsewhere(reference, found)}`,
        title,
        data: { ...projectData, milestone: id },
      };
    case 'label':
      return {
        href: `${page}/issues?label_name=${encodeURIComponent(title)}`,
        text: `${title}${elsewhere(reference, found)}`,
        ...(found.description ? { title: found.description } : {}),
        data: { ...projectData, label: id, color: found.color ?? '' },
      };
  }
}

const getLinks = (ctx: Context, projects: ReferencedProjects, found: ReadonlyMap<MarkdownReference, Referenced>) =>
  new Map([...found].map(([reference, one]) => [reference, linkTo(ctx, reference, one, projects.around(reference))]));

/** `#1`, `~label`, `%milestone` and their like of other projects and groups. */
export const planningReferences: ReferenceSource = {
  syntaxes: [
    { kind: 'issue', sigil: '#', nameForms: ['number'], prefixed: true, routes: ['issues', 'work_items'] },
    { kind: 'label', sigil: '~', nameForms: ['number', 'quoted', 'word'], prefixed: true },
    { kind: 'milestone', sigil: '%', nameForms: ['number', 'quoted', 'word'], prefixed: true, routes: ['milestones'] },
  ],
  async resolve(page, references) {
    const projects = await page.once(referencedProjects);
    return getLinks(page.ctx, projects, await findReferenced(page.ctx, projects, references));
  },
};
