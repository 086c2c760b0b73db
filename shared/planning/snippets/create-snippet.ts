import type { SignedInContext } from '../../core/context/context.js';
import { optional, presentText, withDefault } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { exactlyOneOf, mutuallyExclusive } from '../../core/operations/params.js';
import { commitToContent } from '../../repositories/repositories/write-content.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';
import { withSnippetAnswers } from './snippet-content.js';
import { firstActions, newFiles } from './snippet-files.js';
import { SnippetUserAgent, Snippet } from './snippet.entity.js';
import type { SnippetRecord } from './snippet.entity.js';
import {
  descriptionParam,
  fileNameParam,
  requireSnippetValues,
  titleParam,
  visibilityParam,
} from './snippet-values.js';
import { textOfNewSnippet } from './snippet-spam.js';
import { findSnippetById } from './snippet.finder.js';
import { personalSnippetPolicy, projectSnippetPolicy } from './snippet.policy.js';

const MAX_USER_AGENT = 255;

interface Input {
  title: string;
  description?: string | null | undefined;
  visibility: Snippet['visibility'];
  file_name?: string | undefined;
  content?: string | undefined;
  files?: { file_path: string; content: string }[] | undefined;
}

/** Keeps with what, and from where, a snippet is made; of requests that say neither, nothing. */
async function noteUserAgent(ctx: SignedInContext, id: number): Promise<void> {
  const { userAgent, ip } = ctx.origin;
  if (!userAgent || ip === null) return;
  const cleanUserAgent = userAgent.slice(0, MAX_USER_AGENT).replaceAll('\0', '').toWellFormed();
  await ctx.em.insert(SnippetUserAgent, { snippet_id: id, user_agent: cleanUserAgent, ip_address: ip });
}

async function create(ctx: SignedInContext, found: ProjectRecord | null, input: Input): Promise<SnippetRecord> {
  requireSnippetValues(input);
  const actions = firstActions(input);
  const now = ctx.clock.now();
  const id = await ctx.em.insert(Snippet, {
    project_id: found?.id ?? null,
    author_id: ctx.caller.id,
    title: input.title.trim(),
    description: input.description ?? null,
    visibility: input.visibility,
    file_paths: [],
    user_notes_count: 0,
    upvotes: 0,
    downvotes: 0,
    imported_from: 'none',
    created_at: now,
    updated_at: now,
  });
  await noteUserAgent(ctx, id);
  await withSnippetAnswers(() =>
    commitToContent(ctx, { kind: 'snippet', of: id }, { message: 'Initial commit', actions }),
  );
  const snippet = await findSnippetById(ctx, id);
  ctx.record({ type: 'snippet.created', snippet, project: found });
  return snippet;
}

const contentParam = optional(presentText()).describe('Content of the only file of the snippet.');
const shared = { description: descriptionParam, file_name: fileNameParam, content: contentParam, files: newFiles };
const rules = [exactlyOneOf('files', 'content'), mutuallyExclusive('files', 'file_name')];
const example = { content: 'puts 1\n', file_name: 'fight.rb' };

/** Create a snippet of a project: Reporters and above. */
export const createProjectSnippet = operation({
  name: 'createProjectSnippet',
  summary: 'Create a snippet of a project',
  resource: project,
  can: can(projectSnippetPolicy, 'create_snippet'),
  kind: 'write',
  precheck: againstSpam(textOfNewSnippet),
  statements: 30,
  params: { title: titleParam, visibility: visibilityParam, ...shared },
  rules,
  example,
  run: (ctx, found, input) => create(ctx, found, input),
});

/** Create a personal snippet; internal by default. */
export const createSnippet = operation({
  name: 'createSnippet',
  summary: 'Create a personal snippet',
  resource: instance,
  can: can(personalSnippetPolicy, 'create_snippet'),
  kind: 'write',
  precheck: againstSpam(textOfNewSnippet),
  statements: 30,
  params: { title: titleParam, visibility: withDefault(visibilityParam, 'internal'), ...shared },
  rules,
  example,
  run: (ctx, _none, input) => create(ctx, null, input),
});
