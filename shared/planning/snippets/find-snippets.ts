import { anyOf } from '../../core/database/expressions.js';
import { integer, list, oneOf, optional } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { optionalParam } from '../issuables/issue-values.js';
import { SNIPPET_VISIBILITIES } from './snippet.entity.js';
import { snippetsOfAll } from './snippet.finder.js';
import { onSnippets } from './visible-snippets.js';

/** Find snippets that the caller may read (graphql.md section 5). */
export const findSnippets = operation({
  name: 'findSnippets',
  summary: 'Find snippets visible to the caller',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  params: {
    ids: optionalParam(list(integer(), { max: 1000 })),
    visibility: optional(oneOf(SNIPPET_VISIBILITIES)),
    author_id: optional(integer()),
    project_id: optional(integer()),
    type: optional(oneOf(['personal', 'project'])),
  },
  run: (ctx, _none, { ids, visibility, author_id: author, project_id: project, type }) =>
    Promise.resolve(
      snippetsOfAll(ctx, [
        ...(ids ? [onSnippets('s.id', '=', anyOf(ids, 'bigint'))] : []),
        ...(visibility ? [onSnippets('s.visibility', '=', visibility)] : []),
        ...(author === undefined ? [] : [onSnippets('s.author_id', '=', author)]),
        ...(project === undefined ? [] : [onSnippets('s.project_id', '=', project)]),
        ...(type ? [onSnippets('s.project_id', type === 'personal' ? 'is' : 'is not', null)] : []),
      ]),
    ),
});
