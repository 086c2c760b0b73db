import type { SignedInContext } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { anyOf } from '../../core/database/expressions.js';
import { readObjects } from '../../git/index.js';
import type { CommitAction } from '../../git/index.js';
import { suggestionMessage } from '../../merge-requests/merging/message-template.js';
import type { Signature } from '../../merge-requests/merging/message-template.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { commitToBranch } from '../../repositories/repositories/commit-to-branch.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { mayPushToBranch } from '../../repositories/repositories/ref-rules.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { NotesDatabase } from '../notes.entities.js';
import { linesOfText } from './keep-suggestions.js';
import { suggestedLine, reasonAgainst } from '../notes/suggestion.serializer.js';
import type { SuggestionRecord } from '../notes/suggestion.serializer.js';

const MOST_BYTES = 1024 * 1024;
const CHANGED = "Can't apply as this line was changed in a more recent version.";

const getPath = ({ note }: SuggestionRecord): string => note.position?.new_path ?? '';
const firstLine = (one: SuggestionRecord): number => suggestedLine(one.note) - one.lines_above;
const lastLine = (one: SuggestionRecord): number => suggestedLine(one.note) + one.lines_below;

/** The merge request of all of them. @throws Invalid for several, and for what cannot be applied */
function getRequest(suggestions: readonly SuggestionRecord[]): MergeRequestRecord {
  const [first] = suggestions as [SuggestionRecord, ...SuggestionRecord[]];
  if (suggestions.some(({ note }) => note.merge_request_id !== first.note.merge_request_id))
    throw new Invalid('Suggestions must all be on the same branch.');
  for (const one of suggestions) {
    const reason = reasonAgainst(one, one.note);
    if (reason !== null) throw new Invalid(reason);
  }
  return first.note.noteable.record as MergeRequestRecord;
}

/** The content of a file with some suggestions applied, the last one first. @throws Invalid */
function changedContent(content: string, suggestions: readonly SuggestionRecord[]): string {
  const lines = linesOfText(content);
  const inOrder = suggestions.toSorted((one, other) => firstLine(one) - firstLine(other));
  const overlaps = inOrder.some((one, at) => at > 0 && firstLine(one) <= lastLine(inOrder[at - 1] as SuggestionRecord));
  if (overlaps) throw new Invalid('Suggestions are not applicable as their lines cannot overlap.');
  for (const one of inOrder.toReversed()) {
    const [from, to] = [firstLine(one) - 1, lastLine(one)];
    if (lines.slice(from, to).join('') !== one.from_content) throw new Invalid(CHANGED);
    // A last line without an end keeps having none.
    const bare = to === lines.length && !one.from_content.endsWith('\n');
    lines.splice(from, to - from, bare ? one.to_content.replace(/\n$/, '') : one.to_content);
  }
  return lines.join('');
}

async function getActions(
  ctx: SignedInContext,
  source: ProjectRecord,
  head: string,
  suggestions: readonly SuggestionRecord[],
): Promise<CommitAction[]> {
  const byPath = Map.groupBy(suggestions, getPath);
  const names = [...byPath.keys()].map((path) => `${head}:${path}`);
  const objects = await withGitAnswers(() => readObjects(openRepository(ctx, source), names, MOST_BYTES));
  return [...byPath].map(([path, own], at): CommitAction => {
    const object = objects[at];
    if (object?.type !== 'blob' || object.size > MOST_BYTES) throw new Invalid(CHANGED);
    const content = Buffer.from(changedContent(object.content.toString('utf8'), own));
    return { action: 'update', file_path: path, content };
  });
}

/** The authors of the suggestions other than the caller, as commit signatures. */
async function getAuthors(ctx: SignedInContext, suggestions: readonly SuggestionRecord[]): Promise<Signature[]> {
  const ids = suggestions.flatMap(({ note }) => (note.author_id ? [note.author_id] : []));
  return ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('users as u')
    .select(['u.name', 'u.email'])
    .where('u.id', '=', anyOf(ids, 'bigint'))
    .where('u.id', '<>', ctx.caller.id)
    .orderBy('u.id')
    .execute();
}

async function getMessage(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  suggestions: readonly SuggestionRecord[],
  co_authors: readonly Signature[],
): Promise<string> {
  const { project, source_branch: branch_name } = request;
  const settings = await ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('project_settings as s')
    .select('s.suggestion_commit_message as template')
    .where('s.project_id', '=', project.id)
    .executeTakeFirst();
  const { username, name: user_full_name } = ctx.caller.user;
  const described = {
    branch_name,
    project_path: project.path,
    project_name: project.name,
    file_paths: [...new Set(suggestions.map(getPath))],
    username,
    user_full_name,
    suggestions_count: suggestions.length,
    co_authors,
  };
  return suggestionMessage(described, settings?.template ?? null);
}

/** Notes what was applied, and resolves the threads. */
async function markApplied(ctx: SignedInContext, suggestions: readonly SuggestionRecord[], sha: string): Promise<void> {
  const db = ctx.em.getKysely<NotesDatabase>();
  const ids = suggestions.map(({ id }) => id);
  await db.updateTable('suggestions').set({ applied_sha: sha }).where('id', '=', anyOf(ids, 'bigint')).execute();
  const threads = suggestions.map(({ note }) => note.discussion_id);
  await db
    .updateTable('notes')
    .set({ resolved_at: ctx.clock.now(), resolved_by_id: ctx.caller.id })
    .where('discussion_id', '=', anyOf(threads, 'text'))
    .where('merge_request_id', '=', suggestions[0]?.note.merge_request_id ?? 0)
    .where('type', 'is not', null)
    .where((eb) => eb.not(eb.ref('system')))
    .where('resolved_at', 'is', null)
    .execute();
}

/**
 * Applies suggestions of one merge request in one commit on its source branch, as the caller, who can push there. If
 * all suggestions have the same author, that user is the author of the commit. The threads are resolved.
 * @throws Invalid with the public product's messages; Forbidden
 */
export async function applySuggestions(
  ctx: SignedInContext,
  suggestions: readonly SuggestionRecord[],
  customMessage: string | undefined,
): Promise<SuggestionRecord[]> {
  const request = getRequest(suggestions);
  const source = await findVisibleProject(ctx, request.source_project_id as number);
  if (!source) throw new Invalid("Can't apply as the source branch was deleted.");
  if (!(await mayPushToBranch(ctx, source, request.source_branch))) throw new Forbidden();
  const head = request.head_sha as string;
  const actions = await getActions(ctx, source, head, suggestions);
  const authors = await getAuthors(ctx, suggestions);
  const isOne = new Set(suggestions.map(({ note }) => note.author_id)).size === 1;
  const [only] = isOne ? authors : [];
  const message = customMessage ?? (await getMessage(ctx, request, suggestions, only ? [] : authors));
  const sha = await withGitAnswers(() =>
    commitToBranch(ctx, source, {
      branch: request.source_branch,
      message,
      actions,
      mayMove: async (current) => {
        if (current !== head) throw new Invalid(CHANGED);
      },
      ...(only ? { author: only } : {}),
    }),
  );
  await markApplied(ctx, suggestions, sha);
  return suggestions.map((one) => ({ ...one, applied_sha: sha }));
}
