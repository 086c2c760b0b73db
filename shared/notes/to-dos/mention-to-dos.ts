import { createHash } from 'node:crypto';
import type { Context, SignedInContext } from '../../core/context/context.js';
import type { MarkdownText } from '../../core/markdown/markdown.js';
import { readAll } from '../../core/database/list.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import { mergeRequestsOfAll } from '../../merge-requests/merge-requests/merge-request.finder.js';
import { onMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { epicsById } from '../../planning/epics/epic.finder.js';
import { issuesById } from '../../planning/issues/issue.finder.js';
import { unexpired } from '../../tenancy/namespaces/access.js';
import { today } from '../../tenancy/namespaces/for-caller.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import type { NotesDatabase } from '../notes.entities.js';
import { createMemberToDos } from '../notes.jobs.js';
import type { MemberToDos, MentionToDos } from '../notes.jobs.js';
import { findAnyNote } from '../notes/note.finder.js';
import { addressedNames } from './addressed-names.js';
import { insertToDos } from './insert-to-dos.js';
import type { NewToDo, ToDoTarget } from './insert-to-dos.js';

/** Members of groups that are told by one step, so that no transaction grows with a group. */
const STEP = 500;

/** References read of one text. */
const MOST = 100;

const MENTIONS: ReadonlySet<string> = new Set(['project_member']);

/** A text that mentions people, and what it is about. */
interface Source {
  readonly target: ToDoTarget;
  readonly note_id: number | null;
  readonly texts: readonly MarkdownText[];
}

interface Issuable {
  readonly title: string;
  readonly description?: string | null;
}

const textsOf = ({ title, description }: Issuable, container: MarkdownText['container']): MarkdownText[] => [
  { written: title, form: 'line', container },
  { written: description ?? '', form: 'text', container },
];

async function findNoteSource(ctx: Context, id: number): Promise<Source | null> {
  const note = await findAnyNote(ctx, id).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (!note) return null;
  const { kind, id: containerId } = note.noteable.container;
  return {
    target: note.noteable.type.columns(note.noteable) as ToDoTarget,
    note_id: id,
    texts: [{ written: note.note, form: 'text', container: { kind, id: containerId } }],
  };
}

async function findEpicSource(ctx: Context, id: number): Promise<Source | null> {
  const epic = (await epicsById(ctx, [id])).get(id);
  return epic
    ? {
        target: { namespace_id: epic.namespace_id, epic_id: id },
        note_id: null,
        texts: textsOf(epic, { kind: 'group', id: epic.namespace_id }),
      }
    : null;
}

/** The record as who wrote it sees it; null once it is gone, or out of their sight. */
const SOURCES: Readonly<Record<MentionToDos['source'], (ctx: Context, id: number) => Promise<Source | null>>> = {
  note: findNoteSource,
  epic: findEpicSource,
  async issue(ctx, id) {
    const issue = (await issuesById(ctx, [id])).get(id);
    if (!issue) return null;
    const texts = textsOf(issue, { kind: 'project', id: issue.project_id });
    return { target: { project_id: issue.project_id, issue_id: id }, note_id: null, texts };
  },
  async merge_request(ctx, id) {
    const found = await readAll(ctx, mergeRequestsOfAll(ctx, [onMergeRequests('i.id', '=', id)]));
    const [request] = found;
    if (!request) return null;
    const texts = textsOf(request, { kind: 'project', id: request.project_id });
    return { target: { project_id: request.project_id, merge_request_id: id }, note_id: null, texts };
  },
};

interface MentionedMember {
  readonly id: number;
  readonly addressed: boolean;
}

async function findMentioned(ctx: Context, texts: readonly MarkdownText[]) {
  const links = await ctx.services.markdown.linksOf(ctx, texts, MENTIONS, MOST);
  const addressed = new Set(texts.flatMap(({ written }) => [...addressedNames(written)]));
  const listOf = (kind: 'user' | 'group') =>
    links.flatMap(({ link: { text, data } }): MentionedMember[] => {
      const id = data?.[kind];
      return typeof id === 'number' ? [{ id, addressed: addressed.has(text.slice(1).toLowerCase()) }] : [];
    });
  return { users: listOf('user'), groups: listOf('group') };
}

const notify = (
  ctx: SignedInContext,
  { target, note_id }: Source,
  at: string,
  mentioned: readonly MentionedMember[],
): Promise<void> =>
  insertToDos(
    ctx,
    mentioned
      .filter(({ id }) => id !== ctx.caller.id)
      .map(({ id, addressed }): NewToDo => ({
        ...target,
        note_id,
        user_id: id,
        author_id: ctx.caller.id,
        action: addressed ? 'directly_addressed' : 'mentioned',
        created_at: new Date(at),
      })),
    { once: true },
  );

/** The next direct members of groups, by id; groups that do not want to be mentioned have none. */
async function nextMembers(ctx: Context, { groups, addressed, after }: MemberToDos) {
  const rows = await ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('group_members as m')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'm.namespace_id')
    .select((eb) => [
      'm.user_id as id',
      eb.fn<boolean>('bool_or', [eb('m.namespace_id', '=', anyOf(addressed, 'bigint'))]).as('addressed'),
    ])
    .where('m.namespace_id', '=', anyOf(groups, 'bigint'))
    .where('m.user_id', '>', after)
    .where('m.access_level', '>=', 10)
    .where(unexpired('m', today(ctx)))
    .where('gs.mentions_disabled', 'is distinct from', constant(true))
    .groupBy('m.user_id')
    .orderBy('m.user_id')
    .limit(STEP)
    .execute();
  return rows;
}

/** Sends the next step, unless one for the same members waits: each edit of a text begins with them anew. */
async function sendStep(ctx: Context, job: MemberToDos): Promise<void> {
  const { source, id, user_id: userId, after, groups, addressed } = job;
  const members = createHash('sha256').update(JSON.stringify({ groups, addressed })).digest('base64url');
  await ctx.jobs.send(createMemberToDos, job, { singletonKey: [source, id, userId, after, members].join(':') });
}

/** Who wrote a text, as the caller, and the text as they see it; null once they do not. */
async function findSource(ctx: Context, { user_id: userId, source: kind, id }: MentionToDos) {
  const acting = await actAsUser(ctx, userId);
  const source = acting && (await SOURCES[kind](acting, id));
  return source ? { acting, source } : null;
}

/**
 * Notifies the next members of groups that a text mentions, as far as they may read it, and sends the job for those
 * after them. Idempotent: a text tells everybody once.
 */
export async function createToDosOfMembers(ctx: Context, job: MemberToDos): Promise<void> {
  const found = await findSource(ctx, job);
  if (!found) return;
  const { acting, source } = found;
  await acting.transaction(async () => {
    const some = await nextMembers(acting, job);
    await notify(acting, source, job.at, some);
    const last = some.at(-1);
    if (last && some.length === STEP) await sendStep(acting, { ...job, after: last.id });
  });
}

/** Notifies users whom a text mentions, as far as they may read it, and sends the first job for members of groups. Idempotent, too. */
export async function createToDosOfMentions(ctx: Context, job: MentionToDos): Promise<void> {
  const found = await findSource(ctx, job);
  if (!found) return;
  const { acting, source } = found;
  const { users, groups } = await findMentioned(acting, source.texts);
  if (users.length + groups.length === 0) return;
  await acting.transaction(async () => {
    // Whoever is addressed somewhere is not mentioned as well.
    await notify(
      acting,
      source,
      job.at,
      users.filter(({ addressed }) => addressed),
    );
    await notify(
      acting,
      source,
      job.at,
      users.filter(({ addressed }) => !addressed),
    );
    if (groups.length === 0) return;
    const ids = (some: readonly MentionedMember[]) => [...new Set(some.map((one) => one.id))];
    const addressed = ids(groups.filter((one) => one.addressed));
    const { source: kind, id, user_id, at } = job;
    await sendStep(acting, { source: kind, id, user_id, at, groups: ids(groups), addressed, after: 0 });
  });
}
