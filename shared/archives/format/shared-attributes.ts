import { attributeKinds } from './attributes.js';
import type { ArchiveAttributes } from './attributes.js';

const { date, flag, id, many, number, one, ref, text, time, user, word } = attributeKinds;

/** An author, by whom the text is marked where nobody here is the same person. */
const author = one({ name: text });

const timestamps: ArchiveAttributes = { created_at: time, updated_at: time };

/** Where an object belongs: one of the two is null. */
const container: ArchiveAttributes = { group_id: ref('groups'), project_id: ref('projects') };

const label: ArchiveAttributes = {
  id,
  title: text,
  color: text,
  description: text,
  template: flag,
  archived: flag,
  ...container,
  type: word('GroupLabel', 'ProjectLabel'),
  ...timestamps,
  priorities: many({ priority: number }),
  textColor: text,
};

/** A label as it stands beside what has it: a reader finds it by its title. */
const labelOf: ArchiveAttributes = {
  title: text,
  color: text,
  description: text,
  type: word('GroupLabel', 'ProjectLabel'),
  group_id: ref('groups'),
};

const labelLinks = many({ label: one(labelOf), ...timestamps });

const milestone: ArchiveAttributes = {
  id,
  iid: number,
  title: text,
  description: text,
  state: word('active', 'closed'),
  start_date: date,
  due_date: date,
  ...timestamps,
  ...container,
};

/** A milestone as it stands beside what is planned for it: found by its title and iid. */
const milestoneOf = one({ iid: number, title: text, ...container });

const badge: ArchiveAttributes = {
  id,
  name: text,
  link_url: text,
  image_url: text,
  ...container,
  type: word('GroupBadge', 'ProjectBadge'),
  ...timestamps,
};

/** Whom a board or one of its lists shows: a user of `user_contributions`. */
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
    list_type: word('backlog', 'label', 'closed', 'assignee', 'milestone'),
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
  source_type: word('Namespace', 'Project'),
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

/** Somebody who wrote or did what is in the archive. */
const contributor: ArchiveAttributes = { id, public_email: text, username: text, name: text };

const awardEmoji = many({ name: text, user_id: user, ...timestamps });

/** `events`: who did what to it and when, by the names of the public product. */
const events = many({ action: word('created', 'closed', 'reopened', 'merged'), author_id: user, created_at: time });

const resourceEvent: ArchiveAttributes = { user_id: user, created_at: time };
const resourceStateEvents = many({ ...resourceEvent, state: word('closed', 'reopened', 'merged') });
const resourceLabelEvents = many({ ...resourceEvent, action: word('add', 'remove'), label: one(labelOf) });
const resourceMilestoneEvents = many({
  ...resourceEvent,
  action: word('add', 'remove'),
  state: text,
  milestone: milestoneOf,
});

/** A note; notes of one `discussion_id` are one thread. `commit_id` and positions: where it is on a diff. */
const note: ArchiveAttributes = {
  id,
  note: text,
  noteable_type: word('Issue', 'MergeRequest', 'Epic', 'Commit', 'Snippet'),
  author_id: user,
  author,
  ...timestamps,
  system: flag,
  type: word('DiscussionNote', 'DiffNote'),
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

/** Attributes that objects of groups and of projects have alike (group-export-import.md sections 3 and 7). */
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
