/** Notification levels, by the number shown in `permissions` of a project (projects.md section 4). */
export const LEVELS = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;

export const PARTICIPATING = LEVELS.indexOf('participating');
/** As everywhere else. */
export const GLOBAL = LEVELS.indexOf('global');
/** Just the events that are chosen. */
export const CUSTOM = LEVELS.indexOf('custom');

/** Notification events, and whether each is on by default: unexpected ones, such as failures and moves, are. */
export const EVENTS = {
  new_release: false,
  new_note: false,
  new_issue: false,
  reopen_issue: false,
  close_issue: false,
  reassign_issue: false,
  issue_due: false,
  new_merge_request: false,
  push_to_merge_request: false,
  reopen_merge_request: false,
  close_merge_request: false,
  reassign_merge_request: false,
  change_reviewer_merge_request: false,
  merge_merge_request: false,
  failed_pipeline: true,
  fixed_pipeline: true,
  success_pipeline: false,
  moved_project: true,
  merge_when_pipeline_succeeds: false,
  approver: false,
  new_epic: false,
};

export type Event = keyof typeof EVENTS;
export type Wishes = Partial<Record<Event, boolean>>;
export const EVENT_NAMES = Object.keys(EVENTS) as Event[];
