/**
 * Types of the attributes of an archive's objects. A reader accepts only these and drops every other key; a writer
 * writes all of them, in this order. Each may be null or absent: the meaning depends on the relation.
 *
 * - `number`: an integer. `text`, `flag`: JSON's string and boolean.
 * - `time`: an instant as RFC 3339 text in UTC, to the millisecond. `date`: `YYYY-MM-DD`.
 * - `choice`: one of the listed values.
 * - `id`: the id of the object on the exporting instance; unique in its relation and archive.
 * - `ref`: the id of an object of the referenced relation.
 * - `one`: an object, or null. `many`: a list of objects.
 * - `free`: JSON that the reader has to validate itself.
 */
export type ArchiveAttribute =
  | { readonly is: 'id' | 'number' | 'text' | 'flag' | 'time' | 'date' | 'free' }
  | { readonly is: 'choice'; readonly of: readonly (string | number)[] }
  | { readonly is: 'ref'; readonly to: string }
  | { readonly is: 'one' | 'many'; readonly of: ArchiveAttributes };
export type ArchiveAttributes = Readonly<Record<string, ArchiveAttribute>>;

/** One file of objects of a group or project. */
export interface ArchiveRelation {
  /** The file's name without its ending, and the relation's name in the API. */
  readonly name: string;
  readonly attributes: ArchiveAttributes;
  /** The file is one object without a line's end, rather than one a line. */
  readonly single?: true;
  /** Read where an archive has it, and never written. */
  readonly incoming?: true;
  /** The plan that has such objects: without it nothing is written. */
  readonly plan?: 'premium';
}

const plain = <T extends ArchiveAttribute['is']>(is: T): { readonly is: T } => ({ is });
const ref = (to: string): ArchiveAttribute => ({ is: 'ref', to });

/** What descriptions are written with. */
export const attributeKinds = {
  id: plain('id'),
  number: plain('number'),
  text: plain('text'),
  flag: plain('flag'),
  time: plain('time'),
  date: plain('date'),
  free: plain('free'),
  choice: (...of: (string | number)[]): ArchiveAttribute => ({ is: 'choice', of }),
  ref,
  /** Not a user of this instance: links objects of the archive to `user_contributions` and an adjacent `user`. */
  user: ref('users'),
  one: (of: ArchiveAttributes): ArchiveAttribute => ({ is: 'one', of }),
  many: (of: ArchiveAttributes): ArchiveAttribute => ({ is: 'many', of }),
} as const;

const { date, flag, id, many, number, one, text, time, user, choice } = attributeKinds;

/** An author, who is credited in the text if no user of this instance matches. */
const author = one({ name: text });

const timestamps: ArchiveAttributes = { created_at: time, updated_at: time };

/** The container of an object: one of the two is null. */
const container: ArchiveAttributes = { group_id: ref('groups'), project_id: ref('projects') };

const label: ArchiveAttributes = {
  id,
  title: text,
  color: text,
  description: text,
  template: flag,
  archived: flag,
  ...container,
  type: choice('GroupLabel', 'ProjectLabel'),
  ...timestamps,
  priorities: many({ priority: number }),
  textColor: text,
};

/** A label as embedded in a labeled object: a reader finds it by its title. */
const labelOf: ArchiveAttributes = {
  title: text,
  color: text,
  description: text,
  type: choice('GroupLabel', 'ProjectLabel'),
  group_id: ref('groups'),
};

const labelLinks = many({ label: one(labelOf), ...timestamps });

const milestone: ArchiveAttributes = {
  id,
  iid: number,
  title: text,
  description: text,
  state: choice('active', 'closed'),
  start_date: date,
  due_date: date,
  ...timestamps,
  ...container,
};

/** A milestone as embedded in its items: found by its title and iid. */
const milestoneOf = one({ iid: number, title: text, ...container });

const badge: ArchiveAttributes = {
  id,
  name: text,
  link_url: text,
  image_url: text,
  ...container,
  type: choice('GroupBadge', 'ProjectBadge'),
  ...timestamps,
};

/** The user that a board or one of its lists shows: a user of `user_contributions`. */
const assignee = one({ id, public_email: text, username: text });

const board: ArchiveAttributes = {
  id,
  name: text,
  ...container,
  milestone_id: ref('milestones'),
  weight: number,
  ...timestamps,
  hide_backlog_list: flag,
  hide_closed_list: flag,
  labels: many(labelOf),
  lists: many({
    id,
    board_id: ref('boards'),
    label_id: ref('labels'),
    list_type: choice('backlog', 'label', 'closed', 'assignee', 'milestone'),
    position: number,
    ...timestamps,
    max_issue_count: number,
    max_issue_weight: number,
    label: one(labelOf),
    board: one({ id, name: text, ...container }),
    milestone: milestoneOf,
    user_id: user,
    assignee,
  }),
  board_assignee: one({ assignee_id: user, assignee }),
  milestone: milestoneOf,
};

/** A direct member. No address is exported but the one that the user made public, and no secret of an invitation. */
const member: ArchiveAttributes = {
  id,
  access_level: number,
  source_id: number,
  source_type: choice('Namespace', 'Project'),
  user_id: user,
  notification_level: number,
  ...timestamps,
  created_by_id: user,
  invite_email: text,
  invite_token: text,
  invite_accepted_at: time,
  requested_at: time,
  expires_at: date,
  user: one({ id, public_email: text, username: text }),
};

/** An author or actor of something in the archive. */
const contributor: ArchiveAttributes = { id, public_email: text, username: text, name: text };

const awardEmoji = many({ name: text, user_id: user, ...timestamps });

/** `events`: who did what to it and when, by the names of the public product. */
const events = many({ action: choice('created', 'closed', 'reopened', 'merged'), author_id: user, created_at: time });

const resourceEvent: ArchiveAttributes = { user_id: user, created_at: time };
const resourceStateEvents = many({ ...resourceEvent, state: choice('closed', 'reopened', 'merged') });
const resourceLabelEvents = many({ ...resourceEvent, action: choice('add', 'remove'), label: one(labelOf) });
const resourceMilestoneEvents = many({
  ...resourceEvent,
  action: choice('add', 'remove'),
  state: text,
  milestone: milestoneOf,
});

/** A note; notes with the same `discussion_id` form a thread. `commit_id` and positions: its location on a diff. */
const note: ArchiveAttributes = {
  id,
  note: text,
  noteable_type: choice('Issue', 'MergeRequest', 'Epic', 'Commit', 'Snippet'),
  author_id: user,
  author,
  ...timestamps,
  system: flag,
  type: choice('DiscussionNote', 'DiffNote'),
  discussion_id: text,
  internal: flag,
  commit_id: text,
  resolved_at: time,
  resolved_by_id: user,
  last_edited_at: time,
  system_note_metadata: one({ action: text }),
  award_emoji: awardEmoji,
};
const notes = many(note);

/** Attributes shared by objects of groups and of projects (group-export-import.md sections 3 and 7). */
export const sharedAttributes = {
  author,
  timestamps,
  label,
  labelOf,
  labelLinks,
  milestone,
  milestoneOf,
  badge,
  board,
  member,
  contributor,
  awardEmoji,
  events,
  resourceStateEvents,
  resourceLabelEvents,
  resourceMilestoneEvents,
  note,
  notes,
};
