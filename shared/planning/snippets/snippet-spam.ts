import { ANONYMOUS } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { SpamDetected } from '../../core/values/errors.js';
import type { Repository } from '../../git/index.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { LOOKED_AT, requireNoSpam } from '../../tenancy/spam/against-spam.js';
import { isCheckedForSpam } from '../../tenancy/spam/checker.js';
import type { GuardedText } from '../../tenancy/spam/checker.js';
import { snippetTextAt } from './snippet-content.js';
import type { Snippet, SnippetRecord } from './snippet.entity.js';
import { projectSnippetPolicy } from './snippet.policy.js';

interface Said {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly visibility?: Snippet['visibility'] | undefined;
  readonly file_name?: string | undefined;
  readonly content?: string | undefined;
  readonly files?:
    | readonly { readonly file_path?: string | undefined; readonly content?: string | undefined }[]
    | undefined;
}

/** Whether anonymous visitors can see a snippet, regardless of the caller's own role in its project. */
const isPublicSnippet = (visibility: string, project: ProjectRecord | null): boolean =>
  visibility === 'public' &&
  (project === null || projectSnippetPolicy.read_snippets(ANONYMOUS, { ...project, access: 0 }));

/** Description and files as one text. */
function getText({ description, file_name, content, files = [] }: Said): string {
  const parts = [description, file_name, content, ...files.flatMap((file) => [file.file_path, file.content])];
  return parts.filter((part) => part).join('\n');
}

const SPAM = 'Its files look like spam.';

/** The reason to keep a pushed commit from the public; null if there is none. A CAPTCHA cannot be solved in git. */
export async function findSpamRejection(
  ctx: Context<Caller>,
  snippet: SnippetRecord,
  repository: Repository,
  sha: string,
): Promise<string | null> {
  if (!isCheckedForSpam(ctx) || !isPublicSnippet(snippet.visibility, snippet.project)) return null;
  const text = await snippetTextAt(repository, sha, LOOKED_AT);
  try {
    await requireNoSpam(ctx, { type: 'Snippet', action: 'update', title: snippet.title, text }, { viaApi: false });
    return null;
  } catch (error) {
    if (error instanceof SpamDetected) return SPAM;
    throw error;
  }
}

/** The publicly visible text of a new snippet. */
export const textOfNewSnippet = (
  _ctx: SignedInContext,
  project: ProjectRecord | null,
  input: Said,
): GuardedText | null =>
  isPublicSnippet(input.visibility ?? 'internal', project)
    ? { type: 'Snippet', action: 'create', title: input.title ?? '', text: getText(input) }
    : null;

/** The publicly visible text of an edited snippet, if text, files or visibility change; skips unchanged files. */
export function textOfEditedSnippet(_ctx: SignedInContext, snippet: SnippetRecord, input: Said): GuardedText | null {
  const { title = snippet.title, description = snippet.description, visibility = snippet.visibility } = input;
  const changes =
    title.trim() !== snippet.title ||
    (description ?? '') !== (snippet.description ?? '') ||
    visibility !== snippet.visibility ||
    [input.file_name, input.content, input.files].some((value) => value !== undefined);
  if (!changes || !isPublicSnippet(visibility, snippet.project)) return null;
  return { type: 'Snippet', action: 'update', title, text: getText({ ...input, description }) };
}
