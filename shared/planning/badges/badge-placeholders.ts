import type { Kysely } from 'kysely';
import { load } from '../../core/context/loads.js';
import { anyOf, constant, scalar } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Context } from '../../core/context/context.js';
import { basicProjectDetails } from '../../tenancy/project-details/project-details.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';

const NAMES = [
  'project_path',
  'project_title',
  'project_name',
  'project_id',
  'project_namespace',
  'group_name',
  'gitlab_server',
  'gitlab_pages_domain',
  'default_branch',
  'commit_sha',
  'latest_tag',
] as const;
type Name = (typeof NAMES)[number];

// Own pattern: the names above, between fixed signs.
const PLACEHOLDER = new RegExp(`%\\{(${NAMES.join('|')})\\}`, 'g');

/** Placeholder values by name; empty for values that do not exist or that the caller cannot see. */
export type PlaceholderValues = Readonly<Record<Name, string>>;

/** A URL with its placeholders replaced by their values; unknown placeholders remain unchanged. */
export const rendered = (url: string, values: PlaceholderValues | null): string =>
  values ? url.replaceAll(PLACEHOLDER, (_all, name: Name) => values[name]) : url;

const MAX_URL = 2048;

/** Validation message for a badge URL, which must be a valid HTTP URL once its placeholders are filled in. */
function urlProblem(url: string): string | null {
  if (url.trim() === '') return "can't be blank";
  if (url.length > MAX_URL) return `is too long (maximum is ${MAX_URL} characters)`;
  const filled = url.trim().replaceAll(PLACEHOLDER, 'x');
  const parsed = URL.canParse(filled) ? new URL(filled) : null;
  if (!parsed) return 'is blocked: URI is invalid';
  if (!/^https?:\/\//i.test(filled) || !['http:', 'https:'].includes(parsed.protocol))
    return 'is blocked: Only allowed schemes are http, https';
  return parsed.username === '' && parsed.password === '' ? null : 'is blocked: URI is invalid';
}

/** @throws Invalid with the validation message of each URL */
export function requireUrls(input: { link_url?: string | undefined; image_url?: string | undefined }): void {
  const problems: Problems = {};
  for (const name of ['link_url', 'image_url'] as const) {
    const url = input[name];
    const problem = url === undefined ? null : urlProblem(url);
    if (problem) problems[name] = [problem];
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

interface Newest {
  id: number;
  sha: string | null;
  tag: string | null;
}

const findNewest = prepareQuery((db: Kysely<PlanningDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('projects as p')
    .select((eb) => [
      'p.id',
      scalar(
        eb
          .selectFrom('repository_refs as r')
          .select('r.target_sha')
          .whereRef('r.project_id', '=', 'p.id')
          .where('r.full_name', '=', eb.fn<string>('concat', [constant('refs/heads/'), 'p.default_branch'])),
      ).as('sha'),
      scalar(
        eb
          .selectFrom('repository_refs as r')
          .select('r.name')
          .whereRef('r.project_id', '=', 'p.id')
          .where('r.kind', '=', constant('tag'))
          .orderBy('r.git_date', 'desc')
          .orderBy('r.id', 'desc')
          .limit(constant(1)),
      ).as('tag'),
    ])
    .where('p.id', '=', anyOf(ids, 'bigint')),
);

/** The head of the default branch, and the newest tag. */
const newestOfProjects = load(
  (project: Readonly<ProjectRecord>) => project.id,
  async (ctx, projects): Promise<Map<number, Newest>> => {
    const rows = await findNewest(ctx, { ids: projects.map(({ id }) => id) });
    return new Map(rows.map((row) => [row.id, row]));
  },
);

/** The values of placeholders for a project: two statements. */
export async function placeholderValues(ctx: Context, project: ProjectRecord): Promise<PlaceholderValues> {
  const readsCode = projectPolicy.read_code(ctx.caller, project);
  await basicProjectDetails.fill(ctx, [project]);
  if (readsCode) await newestOfProjects.fill(ctx, [project]);
  const newest = readsCode ? newestOfProjects.of(project, ctx) : undefined;
  const { hostname } = new URL(ctx.config.externalUrl);
  return {
    project_path: project.full_path,
    project_title: project.name,
    project_name: project.path,
    project_id: String(project.id),
    project_namespace: project.full_path.slice(0, project.full_path.lastIndexOf('/')),
    group_name: project.full_path.split('/')[0] ?? '',
    gitlab_server: hostname,
    // Pages are not served.
    gitlab_pages_domain: '',
    default_branch: readsCode ? (basicProjectDetails.of(project, ctx)?.main_branch ?? '') : '',
    commit_sha: newest?.sha ?? '',
    latest_tag: newest?.tag ?? '',
  };
}
