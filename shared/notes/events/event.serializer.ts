import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import type { PushEventPayload } from '../../repositories/repositories/push-event-payload.entity.js';
import { noteSerializer } from '../notes/note.serializer.js';
import type { NoteRecord } from '../notes/note.entity.js';
import { issueNoteableType } from '../noteables/issue-noteable.js';
import { commitNoteableType } from '../noteables/commit-noteable.js';
import { snippetNoteableType } from '../noteables/snippet-noteable.js';
import { mergeRequestNoteableType } from '../noteables/merge-request-noteable.js';
import type { EventRecord } from './event.finder.js';

const PUSHES: Readonly<Record<string, string>> = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' };
const ACTIONS: Readonly<Record<string, string>> = {
  closed: 'closed',
  commented: 'commented on',
  merged: 'accepted',
  destroyed: 'destroyed',
  updated: 'updated',
  joined: 'joined',
  left: 'left',
};

/** The action name in the public API: created or reopened records are `opened`, but projects are `created`. */
function actionName(event: EventRecord): string {
  if (event.push) return PUSHES[event.push.action] ?? event.push.action;
  const target = getTarget(event);
  const isProject = event.action === 'created' && (target === null || target.type === WIKI_PAGE);
  return ACTIONS[event.action] ?? (isProject ? 'created' : 'opened');
}

interface Target {
  readonly type: string;
  readonly id: number | null;
  readonly iid: number | null;
  readonly title: string | null;
}

const WIKI_PAGE = 'WikiPage::Meta';

function getTarget(event: EventRecord): Target | null {
  const { note, issue, merge_request: request, snippet, milestone, milestone_title: title } = event;
  // A comment has no number of its own.
  if (note) return { type: 'Note', id: note.id, iid: note.id, title: (issue ?? request ?? snippet)?.title ?? null };
  if (issue) return { type: 'Issue', ...issue };
  if (request) return { type: 'MergeRequest', ...request };
  if (milestone) return { type: 'Milestone', ...milestone };
  const { wiki_page_meta_id: page = null, wiki_page_title: pageTitle } = event;
  if (pageTitle) return { type: WIKI_PAGE, id: page, iid: page, title: pageTitle };
  return title ? { type: 'Milestone', id: null, iid: null, title } : null;
}

/** The note of an event as the Notes API shows it. */
function getNote({ note, author, issue, merge_request: request, snippet }: EventRecord): NoteRecord | undefined {
  if (!note) return undefined;
  const numbered = issue ? issueNoteableType : mergeRequestNoteableType;
  const type = (issue ?? request) ? numbered : snippet ? snippetNoteableType : commitNoteableType;
  const about = issue ?? request;
  const noteable = { type, id: (about ?? snippet)?.id ?? null, iid: about?.iid ?? null } as NoteRecord['noteable'];
  return { ...note, author, resolved_by: null, noteable };
}

const pushData = serializer<PushEventPayload>('PushData', {
  commit_count: out.integer((push) => push.commit_count),
  action: out.text((push) => push.action, { enum: ['created', 'removed', 'pushed'] }),
  ref_type: out.text((push) => push.ref_type, { enum: ['branch', 'tag'] }),
  commit_from: out.nullableText((push) => push.commit_from ?? null),
  commit_to: out.nullableText((push) => push.commit_to ?? null),
  ref: out.nullableText((push) => push.ref ?? null),
  commit_title: out.nullableText((push) => push.commit_title ?? null),
  ref_count: out.nullableInteger((push) => push.ref_count ?? null),
});

/** A user's action in the format of the public API. */
export const eventSerializer = serializer<EventRecord>('Event', {
  id: out.integer((event) => event.id),
  project_id: out.nullableInteger((event) => event.project_id ?? null, {
    description: 'ID of the project; null for events in a group itself.',
  }),
  action_name: out.text(actionName),
  target_id: out.nullableInteger((event) => getTarget(event)?.id ?? null),
  target_iid: out.nullableInteger((event) => getTarget(event)?.iid ?? null),
  target_type: out.nullableText((event) => getTarget(event)?.type ?? null, {
    description:
      'Type of the target: `Issue`, `MergeRequest`, `Milestone`, `Note` or `WikiPage::Meta`; null for pushes and for the project itself.',
  }),
  author_id: out.integer((event) => event.author_id),
  target_title: out.nullableText((event) => getTarget(event)?.title ?? null),
  created_at: out.instant((event) => event.created_at),
  note: out.record(noteSerializer, getNote, { optional: true }),
  author: out.record(userSummary, (event) => event.author),
  push_data: out.record(pushData, (event) => event.push ?? undefined, { optional: true }),
  imported: out.boolean(() => false),
  imported_from: out.text(() => 'none'),
  author_username: out.text((event) => event.author.username),
});
