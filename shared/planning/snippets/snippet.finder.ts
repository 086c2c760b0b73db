import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId, readAll } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { findProjectOfUrl, findVisibleProject, project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Snippet } from './snippet.entity.js';
import { projectSnippetPolicy, snippetPolicy } from './snippet.policy.js';
import type { ListedSnippet, ProjectSnippetRecord, SnippetRecord } from './snippet.record.js';
import { visibleSnippets, visibleSnippetsOf } from './visible-snippets.js';

const selected: Fragment = sql`${textColumns(Snippet, 's')}, r.path as "full_path", c.branch as "branch",
  c.head_sha as "head_sha", ${userSummaryColumns('a', 'author.')}`;

/** Snippets `s` with their project `p`, if any: what {@link visibleSnippets} speaks of. */
const matching: Fragment = sql`snippets s left join projects p on p.id = s.project_id`;

const tables: Fragment = sql`${matching}
  join content_repositories c on c.snippet_id = s.id
  left join routes r on r.project_id = s.project_id
  left join users a on a.id = s.author_id`;

/** Snippets, of projects and personal ones, that the caller may read, the newest first. */
export function snippetsOfAll(ctx: Context, where: readonly Fragment[] = []): TextList<ListedSnippet> {
  return {
    select: selected,
    from: tables,
    matching,
    where: [visibleSnippets(ctx), ...where],
    order: [byId('s', 'desc')],
  };
}

/** Snippets of one project that the caller may read, the newest first. */
export function snippetsOfProject(
  ctx: Context,
  found: ProjectRecord,
  where: readonly Fragment[] = [],
): TextList<ListedSnippet> {
  return {
    select: selected,
    from: tables,
    matching: sql`snippets s`,
    where: [visibleSnippetsOf(ctx, found), ...where],
    order: [byId('s', 'desc')],
  };
}

/** Snippets by their ids, of those that the caller may read. @public */
export async function snippetsById(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedSnippet>> {
  if (ids.length === 0) return new Map();
  const found = await readAll(ctx, snippetsOfAll(ctx, [sql`s.id = any(${ids}::bigint[])`]));
  return new Map(found.map((snippet) => [snippet.id, snippet]));
}

/** A snippet's row, whoever asks. */
const loadSnippet = (ctx: Context, condition: Fragment): Promise<ListedSnippet | null> =>
  ctx.queryOne<ListedSnippet>(sql`select ${selected} from ${tables} where ${condition}`);

/** Locks a snippet for a change, so that what is found next is what is changed; its project first, as its deletion does it. */
async function lockSnippet(ctx: Context, id: number): Promise<void> {
  await ctx.query(sql`
    select 1 from projects p where p.id = (select s.project_id from snippets s where s.id = ${id}) for key share`);
  await ctx.query(sql`select 1 from snippets s where s.id = ${id} for no key update`);
}

/** @throws NotFound "404 Snippet Not Found" */
function admit(ctx: Context, row: ListedSnippet | null, found: ProjectRecord | null): SnippetRecord {
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
  const row = await loadSnippet(ctx, sql`s.id = ${id}`);
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
  const row = await loadSnippet(ctx, sql`s.id = ${id} and s.project_id = ${found.id}`);
  return { ...admit(ctx, row, found), project: found };
}

/** The subject of `/snippets/:id…`. For a write it is locked. */
export const snippet: Subject<SnippetRecord> = {
  noun: 'Snippet',
  params: { id: integer().describe('Id of the snippet.') },
  find: (ctx, input: { id: number }) => findSnippetById(ctx, input.id),
};

/** The subject of `/projects/:id/snippets/:snippet_id…`. For a write it is locked. */
export const projectSnippet: Subject<ProjectSnippetRecord> = {
  noun: 'Snippet',
  params: { ...project.params, snippet_id: integer().describe('Id of the snippet.') },
  find: async (ctx, input: { id: string; snippet_id: number }) =>
    findSnippetOf(ctx, await findProjectOfUrl(ctx, input.id), input.snippet_id),
  about: (record) => aboutProject(record.project),
};
