import type { Caller } from '../../core/context/callers.js';
import { isPrincipal } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import type { GitContent } from '../../repositories/git-http/git-content.js';
import { findSnippetRejection } from './snippet-content.js';
import { findSpamRejection } from './snippet-spam.js';
import { findSnippetById } from './snippet.finder.js';
import { snippetPolicy } from './snippet.policy.js';
import { snippetGitPath } from './snippet.serializer.js';

// Own pattern: `snippets/1`, `group/project/snippets/1`.
const PATH = /^(?:[\w./-]+\/)?snippets\/(\d{1,15})$/;

/** A snippet as its repository is served: by its id, wherever its project is by now. Users' and public ones alone. */
async function find(ctx: Context<Caller>, id: number): Promise<GitContent> {
  const { caller } = ctx;
  if (isPrincipal(caller)) throw new NotFound('Snippet');
  const snippet = await findSnippetById(ctx.as(caller), id);
  const writes = snippetPolicy.update_snippet(caller, snippet);
  return {
    contentRef: { kind: 'snippet', of: id },
    fullPath: snippetGitPath(snippet),
    unreadable: null,
    unwritable: writes ? null : 'You are not allowed to change this snippet.',
    findRejection: async (repository, sha) =>
      (await findSnippetRejection(repository, sha)) ?? findSpamRejection(ctx, snippet, repository, sha),
  };
}

/** The repository of a snippet by its path. */
export function snippetOfGitPath(fullPath: string): ((ctx: Context<Caller>) => Promise<GitContent>) | null {
  const [, id] = PATH.exec(fullPath) ?? [];
  return id === undefined ? null : (ctx) => find(ctx, Number(id));
}
