import type { Expression, SqlBool } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import { instant, optional } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectSnippet, snippet, snippetsOfAll, snippetsOfProject } from './snippet.finder.js';
import { projectSnippetPolicy, snippetPolicy } from './snippet.policy.js';
import { onSnippets } from './visible-snippets.js';

const timeParams = {
  created_after: optional(instant()).describe('Returns snippets created at or after this time.'),
  created_before: optional(instant()).describe('Returns snippets created at or before this time.'),
};

function creationRange({
  created_after: after,
  created_before: before,
}: {
  created_after?: Date | undefined;
  created_before?: Date | undefined;
}): Expression<SqlBool>[] {
  return [
    ...(after ? [onSnippets('s.created_at', '>=', after)] : []),
    ...(before ? [onSnippets('s.created_at', '<=', before)] : []),
  ];
}

const isPersonal = onSnippets('s.project_id', 'is', null);
const isPublic = onSnippets('s.visibility', '=', constant('public'));

/** List the snippets of a project that the caller may see. */
export const listProjectSnippets = operation({
  name: 'listProjectSnippets',
  summary: 'List the snippets of a project',
  resource: project,
  can: can(projectSnippetPolicy, 'read_snippets'),
  authentication: 'open',
  kind: 'read',
  run: (ctx, found) => Promise.resolve(snippetsOfProject(ctx, found)),
});

/** List the caller's own snippets, personal ones and those in projects. */
export const listSnippets = operation({
  name: 'listSnippets',
  summary: "List the caller's snippets",
  resource: instance,
  kind: 'read',
  params: timeParams,
  run: (ctx, _none, input) =>
    Promise.resolve(snippetsOfAll(ctx, [onSnippets('s.author_id', '=', ctx.caller.id), ...creationRange(input)])),
});

/** List the personal snippets that are public. */
export const listPublicSnippets = operation({
  name: 'listPublicSnippets',
  summary: 'List public snippets',
  resource: instance,
  kind: 'read',
  params: timeParams,
  run: (ctx, _none, input) => Promise.resolve(snippetsOfAll(ctx, [isPersonal, isPublic, ...creationRange(input)])),
});

/** List all snippets that the caller may see. */
export const listAllSnippets = operation({
  name: 'listAllSnippets',
  summary: 'List all snippets that the caller may see',
  resource: instance,
  kind: 'read',
  params: timeParams,
  run: (ctx, _none, input) => Promise.resolve(snippetsOfAll(ctx, creationRange(input))),
});

/** Read a snippet of a project. */
export const getProjectSnippet = operation({
  name: 'getProjectSnippet',
  summary: 'Read a snippet of a project',
  resource: projectSnippet,
  can: can(snippetPolicy, 'read_snippet'),
  authentication: 'open',
  kind: 'read',
  run: (_ctx, found) => Promise.resolve(found),
});

/** Read a snippet by its id alone. */
export const getSnippet = operation({
  name: 'getSnippet',
  summary: 'Read a snippet',
  resource: snippet,
  can: can(snippetPolicy, 'read_snippet'),
  authentication: 'open',
  kind: 'read',
  run: (_ctx, found) => Promise.resolve(found),
});
