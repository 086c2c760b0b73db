import { integer, list, oneOf, optional } from '../../core/fields.js';
import { instance, operation } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import { given } from '../issue-edits/issue-values.js';
import { SNIPPET_VISIBILITIES } from './snippet.entity.js';
import { snippetsOfAll } from './snippet.finder.js';

/** Find snippets that the caller may read (graphql.md section 5). */
export const findSnippets = operation({
  name: 'findSnippets',
  summary: 'Find snippets',
  subject: instance,
  gate: 'open',
  kind: 'read',
  params: {
    ids: given(list(integer(), { max: 1000 })),
    visibility: optional(oneOf(SNIPPET_VISIBILITIES)),
    author_id: optional(integer()),
    project_id: optional(integer()),
    type: optional(oneOf(['personal', 'project'])),
  },
  run: (ctx, _none, { ids, visibility, author_id: author, project_id: project, type }) =>
    Promise.resolve(
      snippetsOfAll(ctx, [
        ...(ids ? [sql`s.id = any(${ids}::bigint[])`] : []),
        ...(visibility ? [sql`s.visibility = ${visibility}`] : []),
        ...(author === undefined ? [] : [sql`s.author_id = ${author}`]),
        ...(project === undefined ? [] : [sql`s.project_id = ${project}`]),
        ...(type ? [type === 'personal' ? sql`s.project_id is null` : sql`s.project_id is not null`] : []),
      ]),
    ),
});
