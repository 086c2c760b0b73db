import type { Context, SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne, mutuallyExclusive } from '../../core/operations/params.js';
import { commitToContent } from '../../repositories/repositories/write-content.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';
import { withSnippetAnswers } from './snippet-content.js';
import { fileChanges, nextActions } from './snippet-files.js';
import type { FileChange } from './snippet-files.js';
import {
  descriptionParam,
  fileNameParam,
  requireSnippetValues,
  titleParam,
  visibilityParam,
} from './snippet-values.js';
import { textOfEditedSnippet } from './snippet-spam.js';
import { Snippet } from './snippet.entity.js';
import type { SnippetRecord } from './snippet.entity.js';
import { findSnippetById, projectSnippet, snippet } from './snippet.finder.js';
import { snippetPolicy } from './snippet.policy.js';

interface Input {
  title?: string | undefined;
  description?: string | null | undefined;
  visibility?: Snippet['visibility'] | undefined;
  file_name?: string | undefined;
  content?: string | undefined;
  files?: FileChange[] | undefined;
}

async function update(ctx: SignedInContext, found: SnippetRecord, input: Input): Promise<SnippetRecord> {
  requireSnippetValues(input);
  const { title, description, visibility } = input;
  const actions = nextActions(found.file_paths, input);
  await ctx.em.nativeUpdate(
    Snippet,
    { id: found.id },
    {
      ...(title === undefined ? {} : { title: title.trim() }),
      ...(description === undefined ? {} : { description }),
      ...(visibility === undefined ? {} : { visibility }),
      updated_at: ctx.clock.now(),
    },
  );
  if (actions.length > 0)
    await withSnippetAnswers(() =>
      commitToContent(ctx, { kind: 'snippet', of: found.id }, { message: 'Update snippet', actions }),
    );
  const after = await findSnippetById(ctx, found.id);
  ctx.record({ type: 'snippet.updated', before: found, snippet: after, project: found.project });
  return after;
}

const updates = {
  can: can(snippetPolicy, 'update_snippet'),
  kind: 'write',
  precheck: againstSpam(textOfEditedSnippet),
  statements: 30,
} as const;
const params = {
  title: optional(titleParam),
  description: descriptionParam,
  visibility: optional(visibilityParam),
  file_name: fileNameParam,
  content: optional(text()).describe('New content of the only file of the snippet.'),
  files: fileChanges,
};
const rules = [
  getAtLeastOne('title', 'description', 'visibility', 'file_name', 'content', 'files'),
  mutuallyExclusive('files', 'content'),
  mutuallyExclusive('files', 'file_name'),
];
const example = { title: 'Another fight' };

/** Edit a snippet of a project: its author, and Maintainers. */
export const updateProjectSnippet = operation({
  name: 'updateProjectSnippet',
  summary: 'Edit a snippet of a project',
  resource: projectSnippet,
  ...updates,
  params,
  rules,
  example,
  run: update,
});

/** Edit a snippet by its id alone. */
export const updateSnippet = operation({
  name: 'updateSnippet',
  summary: 'Edit a personal snippet',
  resource: snippet,
  ...updates,
  params,
  rules,
  example,
  run: update,
});

async function remove(ctx: Context, found: SnippetRecord): Promise<void> {
  ctx.record({ type: 'snippet.deleted', snippet: found, project: found.project });
  // Subscribers read the dependent records while they still exist.
  await ctx.publishRecorded();
  if ((await ctx.em.nativeDelete(Snippet, { id: found.id })) === 0) throw new NotFound('Snippet');
}

const destroys = { can: can(snippetPolicy, 'destroy_snippet'), kind: 'write', conditional: true } as const;

/** Delete a snippet of a project with its repository: its author, and Maintainers. */
export const deleteProjectSnippet = operation({
  name: 'deleteProjectSnippet',
  summary: 'Delete a snippet of a project',
  resource: projectSnippet,
  ...destroys,
  run: remove,
});

/** Delete a snippet by its id alone. */
export const deleteSnippet = operation({
  name: 'deleteSnippet',
  summary: 'Delete a personal snippet',
  resource: snippet,
  ...destroys,
  run: remove,
});
