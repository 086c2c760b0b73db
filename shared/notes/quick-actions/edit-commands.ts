import { findLabelsByTitle } from '../../planning/issuables/labels-of-titles.js';
import { BadCommand, dayIn, milestoneIn, titlesIn, usersIn } from './command-arguments.js';
import type { Draft, Drafted } from './draft.js';

/** Executes a command. Returns a sentence that describes the change. @throws BadCommand */
export type DraftCommand<R extends Drafted = Drafted> = (draft: Draft<R>, argument: string) => string | Promise<string>;

const months = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const lockSentence = { true: 'Locked the discussion.', false: 'Unlocked the discussion.' } as const;

/** Labels of these titles that there are. @throws BadCommand where there is none */
async function labels({ ctx, container }: Draft, argument: string): Promise<string[]> {
  const found = await findLabelsByTitle(ctx, container, titlesIn(argument, '~'));
  if (found.length === 0) throw new BadCommand('Failed to find the label.');
  return found.map(({ title }) => title);
}

const SIGN = '~';
const quoted = (title: string) => (/\s/.test(title) ? `"${title}"` : title);

const labelText = (titles: readonly string[]) =>
  `${titles.map((title) => SIGN + quoted(title)).join(' ')} ${titles.length === 1 ? 'label' : 'labels'}`;

const without = (titles: readonly string[] | undefined, gone: readonly string[]) =>
  (titles ?? []).filter((title) => !gone.includes(title));

const addLabels: DraftCommand = async (draft, argument) => {
  const titles = await labels(draft, argument);
  const { add_labels: add = [], remove_labels: remove } = draft.edits;
  draft.edit({ add_labels: [...new Set([...add, ...titles])], remove_labels: without(remove, titles) });
  return `Added ${labelText(titles)}.`;
};

const removeLabels: DraftCommand = async (draft, argument) => {
  if (argument === '') {
    draft.edit({ labels: [], add_labels: [], remove_labels: [] });
    return 'Removed all labels.';
  }
  const titles = await labels(draft, argument);
  const { add_labels: add, remove_labels: remove = [] } = draft.edits;
  draft.edit({ add_labels: without(add, titles), remove_labels: [...new Set([...remove, ...titles])] });
  return `Removed ${labelText(titles)}.`;
};

const replaceLabels: DraftCommand = async (draft, argument) => {
  const titles = await labels(draft, argument);
  draft.edit({ labels: titles, add_labels: [], remove_labels: [] });
  return `Replaced all labels with ${labelText(titles)}.`;
};

export const mentions = (users: readonly { username: string }[]) =>
  users.map(({ username }) => `@${username}`).join(', ');

const assign: DraftCommand = async (draft, argument) => {
  const users = await usersIn(draft.ctx, argument);
  draft.edit({ assignee_ids: [...new Set([...(await draft.assignees()), ...users.map(({ id }) => id)])] });
  return `Assigned ${mentions(users)}.`;
};

const unassign: DraftCommand = async (draft, argument) => {
  if (argument === '') {
    draft.edit({ assignee_ids: [] });
    return 'Removed all assignees.';
  }
  const users = await usersIn(draft.ctx, argument);
  const gone = users.map(({ id }) => id);
  draft.edit({ assignee_ids: (await draft.assignees()).filter((id) => !gone.includes(id)) });
  return `Removed assignees ${mentions(users)}.`;
};

const reassign: DraftCommand = async (draft, argument) => {
  const users = await usersIn(draft.ctx, argument);
  draft.edit({ assignee_ids: users.map(({ id }) => id) });
  return `Changed assignees to ${mentions(users)}.`;
};

const setState =
  (event: 'close' | 'reopen'): DraftCommand =>
  (draft) => {
    if (draft.opened === (event === 'reopen')) throw new BadCommand('');
    draft.edit({ state_event: event });
    return `${event === 'close' ? 'Closed' : 'Reopened'} this ${draft.kind.called}.`;
  };

const setLocked =
  (locked: boolean): DraftCommand =>
  (draft) => {
    const now = draft.edits.discussion_locked ?? draft.record.discussion_locked ?? false;
    if (now === locked) throw new BadCommand('');
    draft.edit({ discussion_locked: locked });
    return lockSentence[`${locked}`];
  };

/** @throws BadCommand unless the argument is an integer of at least 0 */
function weightIn(argument: string): number {
  if (!/^\d{1,9}$/.test(argument)) throw new BadCommand('The weight is a whole number.');
  return Number(argument);
}

/** @throws BadCommand without the plan that weights need */
function requireWeights({ ctx }: Draft): void {
  if (!ctx.hasPlan('premium')) throw new BadCommand('Weights are not available for the current license.');
}

/** Makes a public record confidential. */
export const confidential: DraftCommand = (draft) => {
  if (draft.edits.confidential ?? draft.record.confidential) throw new BadCommand('');
  draft.edit({ confidential: true });
  return `Made this ${draft.kind.called} confidential.`;
};

/** Commands that edit what all kinds have, with the rights of the operation that edits the kind. */
export const commonCommands: Readonly<Record<string, DraftCommand>> = {
  close: setState('close'),
  reopen: setState('reopen'),
  label: addLabels,
  labels: addLabels,
  unlabel: removeLabels,
  remove_label: removeLabels,
  relabel: replaceLabels,
  title(draft, argument) {
    if (argument === '' || [...argument].length > 255) throw new BadCommand('The title has 1 to 255 characters.');
    draft.edit({ title: argument });
    return `Changed the title to "${argument}".`;
  },
};

/** The same of what issues and merge requests have. */
export const plannedCommands: Readonly<Record<string, DraftCommand>> = {
  assign,
  unassign,
  remove_assignee: unassign,
  reassign,
  lock: setLocked(true),
  unlock: setLocked(false),
  async milestone(draft, argument) {
    const { id, title } = await milestoneIn(draft.ctx, draft.container, argument);
    draft.edit({ milestone_id: id });
    return `Set the milestone to %${/\s/.test(title) ? `"${title}"` : title}.`;
  },
  remove_milestone(draft) {
    if (!(draft.edits.milestone_id ?? draft.record.milestone_id)) throw new BadCommand('');
    draft.edit({ milestone_id: 0 });
    return 'Removed the milestone.';
  },
};

/** The same of what issues alone have. */
export const issueEditCommands: Readonly<Record<string, DraftCommand>> = {
  due(draft, argument) {
    const day = dayIn(argument, draft.ctx.clock.now());
    const at = new Date(`${day}T00:00:00Z`);
    if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
      throw new BadCommand('Failed to read the date.');
    draft.edit({ due_date: day });
    return `Set the due date to ${months.format(at)}.`;
  },
  remove_due_date(draft) {
    const due = draft.edits.due_date === undefined ? draft.record.due_date : draft.edits.due_date;
    if (!due) throw new BadCommand('');
    draft.edit({ due_date: null });
    return 'Removed the due date.';
  },
  confidential,
  weight(draft, argument) {
    requireWeights(draft);
    const weight = weightIn(argument);
    draft.edit({ weight });
    return `Set weight to ${weight}.`;
  },
  clear_weight(draft) {
    requireWeights(draft);
    draft.edit({ weight: null });
    return 'Cleared weight.';
  },
};
