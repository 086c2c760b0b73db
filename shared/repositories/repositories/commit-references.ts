import type { Context } from '../../core/context/context.js';
import type { ReferenceLink, ReferenceSource, MarkdownReference } from '../../core/markdown/reference-source.js';
import { commitsOfIds, GitError } from '../../git/index.js';
import type { TitledCommit } from '../../git/index.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { referencedProjects } from '../../tenancy/containers/referenced-projects.js';
import { openRepository } from './write-refs.js';

/** Maximum repositories to read for a page, each with one process, and maximum ids for each. */
const MOST_REPOSITORIES = 10;
const MOST_IDS = 200;

const SHORT_ID = 8;

const getIds = ({ name, to }: MarkdownReference) => (to === undefined ? [name] : [name, to]);

/** Commits of a project by what texts call them. A repository that cannot be read has none. */
async function commitsIn(
  ctx: Context,
  project: ProjectRecord,
  references: readonly MarkdownReference[],
): Promise<ReadonlyMap<string, TitledCommit>> {
  const ids = [...new Set(references.flatMap(getIds))].slice(0, MOST_IDS);
  try {
    return await commitsOfIds(openRepository(ctx, project), ids);
  } catch (error) {
    if (error instanceof GitError) return new Map();
    throw error;
  }
}

function linkTo(
  ctx: Context,
  project: ProjectRecord,
  { sha, title }: TitledCommit,
  end: TitledCommit | null,
  from: ProjectRecord | undefined,
): ReferenceLink {
  const base = `${ctx.config.externalUrl}/${project.full_path}/-`;
  const prefix = from?.id === project.id ? '' : `${project.full_path}@`;
  const short = sha.slice(0, SHORT_ID);
  if (end === null)
    return {
      href: `${base}/commit/${sha}`,
      text: prefix + short,
      title,
      data: { project: project.id, commit: sha },
    };
  return {
    href: `${base}/compare/${sha}...${end.sha}`,
    text: `${prefix}${short}...${end.sha.slice(0, SHORT_ID)}`,
    data: { project: project.id, 'commit-range': `${sha}...${end.sha}` },
  };
}

/** Ids of commits, from 7 digits; `a...b`; `group/project@id`. */
export const commitReferences: ReferenceSource = {
  syntaxes: [
    { kind: 'commit', nameForms: ['sha'], prefixed: false },
    { kind: 'commit', sigil: '@', nameForms: ['sha'], prefixed: true, routes: ['commit'] },
  ],
  async resolve(page, references) {
    const { ctx } = page;
    const projects = await page.once(referencedProjects);
    const byProject = Map.groupBy(references, (one) => projects.of(one));
    const readable = [...byProject].filter(
      (entry): entry is [ProjectRecord, MarkdownReference[]] =>
        entry[0] !== undefined && entry[0].repository_created && projectPolicy.read_code(ctx.caller, entry[0]),
    );
    const links = new Map<MarkdownReference, ReferenceLink>();
    await Promise.all(
      readable.slice(0, MOST_REPOSITORIES).map(async ([project, own]) => {
        const commits = await commitsIn(ctx, project, own);
        for (const one of own) {
          const [start, end] = getIds(one).map((id) => commits.get(id));
          if (!start || (one.to !== undefined && !end)) continue;
          links.set(one, linkTo(ctx, project, start, end ?? null, projects.around(one)));
        }
      }),
    );
    return links;
  },
};
