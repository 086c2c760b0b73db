import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { findProjectOfUrl, findVisibleProject, project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Snippet } from './snippet.entity.js';
import type { ListedSnippet, ProjectSnippetRecord, SnippetRecord } from './snippet.entity.js';
import { projectSnippetPolicy, snippetPolicy } from './snippet.policy.js';
import type { OfSnippets } from './visible-snippets.js';
import { onSnippets, visibleSnippets, visibleSnippetsOf } from './visible-snippets.js';

/** Selects snippets `s` as lists have them. */
const selectSnippets = (query: SelectQueryBuilder<OfSnippets, 's', object>) =>
  query
    .innerJoin('content_repositories as c', 'c.snippet_id', 's.id')
    .leftJoin('routes as r', 'r.project_id', 's.project_id')
    .leftJoin('users as a', 'a.id', 's.author_id')
    .select([
      ...columns(Snippet, 's'),
      'r.path as full_path',
      'c.branch',
      'c.head_sha',
      ...nestedOrNull('author', User, 'a', { only: USER_SUMMARY }),
    ]);

const db = expressionBuilder<OfSnippets>();

/** Snippets, of projects and personal ones, that the caller may read, the newest first. */
export function snippetsOfAll(ctx: Context, where: readonly Expression<SqlBool>[] = []): List<ListedSnippet> {
  const matching = db.selectFrom('snippets as s').leftJoin('projects as p', 'p.id', 's.project_id');
  return narrow({ matching, select: selectSnippets, order: [byId<ListedSnippet>('s', 'desc')] }, [
    visibleSnippets(ctx),
    ...where,
  ]);
}

/** Snippets of one project that the caller may read, the newest first. */
export function snippetsOfProject(ctx: Context, found: ProjectRecord): List<ListedSnippet> {
  const matching = db.selectFrom('snippets as s').where(visibleSnippetsOf(ctx, found));
  return { matching, select: selectSnippets, order: [byId<ListedSnippet>('s', 'desc')] };
}

/** Snippets by their ids, of those that the caller may read. @public */
export async function snippetsById(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedSnippet>> {
  if (ids.length === 0) return new Map();
  const found = await readAll(ctx, snippetsOfAll(ctx, [onSnippets('s.id', '=', anyOf(ids, 'bigint'))]));
  return new Map(found.map((snippet) => [snippet.id, snippet]));
}

/** Rows of snippets, without a permission check. */
const rows = (of: Kysely<OfSnippets>) => selectSnippets(of.selectFrom('snippets as s'));

const load = {
  id: prepareQuery<OfSnippets, { id: number }, ListedSnippet>((of, { id }) => rows(of).where('s.id', '=', id)),
  inProject: prepareQuery<OfSnippets, { id: number; project_id: number }, ListedSnippet>((of, { id, project_id }) =>
    rows(of).where('s.id', '=', id).where('s.project_id', '=', project_id),
  ),
};

/** Locks a snippet before it is read for a change. Locks its project first, in the same order as project deletion. */
async function lockSnippet(ctx: Context, id: number): Promise<void> {
  const of = ctx.em.getKysely<PlanningDatabase>();
  await of
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', '=', (eb) =>
      eb.selectFrom('snippets as s').select('s.project_id').where('s.id', '=', id).$castTo<{ project_id: number }>(),
    )
    .forKeyShare()
    .execute();
  await of.selectFrom('snippets as s').select('s.id').where('s.id', '=', id).forNoKeyUpdate().execute();
}

/** @throws NotFound "404 Snippet Not Found" */
function admit(ctx: Context, row: ListedSnippet | undefined, found: ProjectRecord | null): SnippetRecord {
  const snippet = row && { ...row, project: found };
  if (!snippet || !snippetPolicy.read_snippet(ctx.caller, snippet)) throw new NotFound('Snippet');
  return snippet;
}

/**
 * The snippet of an id, of a project or personal, locked in a transaction.
 * @throws NotFound "404 Snippet Not Found", also where the caller may not read it
 */
export async function findSnippetById(ctx: Context, id: number): Promise<SnippetRecord> {
  if (ctx.inTransaction) await lockSnippet(ctx, id);
  const [row] = await load.id(ctx, { id });
  if (!row?.project_id) return admit(ctx, row, null);
  const found = await findVisibleProject(ctx, row.project_id);
  if (!found) throw new NotFound('Snippet');
  return admit(ctx, row, found);
}

/**
 * A snippet of a project. @public
 * @throws Forbidden where the project has none, or not for this caller;
 * @throws NotFound "404 Snippet Not Found", also where the caller may not read it
 */
export async function findSnippetOf(ctx: Context, found: ProjectRecord, id: number): Promise<ProjectSnippetRecord> {
  if (!projectSnippetPolicy.read_snippets(ctx.caller, found)) throw new Forbidden();
  if (ctx.inTransaction) await lockSnippet(ctx, id);
  const [row] = await load.inProject(ctx, { id, project_id: found.id });
  return { ...admit(ctx, row, found), project: found };
}

/** The resource of `/snippets/:id…`. For a write it is locked. */
export const snippet: Resource<SnippetRecord> = {
  noun: 'Snippet',
  params: { id: integer().describe('ID of the snippet.') },
  find: (ctx, input: { id: number }) => findSnippetById(ctx, input.id),
};

/** The resource of `/projects/:id/snippets/:snippet_id…`. For a write it is locked. */
export const projectSnippet: Resource<ProjectSnippetRecord> = {
  noun: 'Snippet',
  params: { ...project.params, snippet_id: integer().describe('ID of the snippet.') },
  find: async (ctx, input: { id: string; snippet_id: number }) =>
    findSnippetOf(ctx, await findProjectOfUrl(ctx, input.id), input.snippet_id),
  about: (record) => aboutProject(record.project),
};
