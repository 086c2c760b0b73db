import type { RecordedEvent } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import type { IssueInProject } from '../../planning/planning.events.js';
import type { NamesNoteable } from '../noteables/noteable.js';
import { noteOfChange, noteOfEpicChange, noteOfMergeRequestChange } from './change-texts.js';
import type { SystemNote } from './change-texts.js';

/** The events that system notes are written for. */
export const NOTED_EVENTS = [
  'issue.changed',
  'issue.moved',
  'issue.cloned',
  'issue.mentioned',
  'issue_link.created',
  'issue_link.deleted',
  'merge_request.changed',
  'merge_request.approved',
  'merge_request.unapproved',
  'epic.changed',
] as const;

/** A note that the service is to write. */
export interface EventNote extends SystemNote {
  /** The columns that name what it is written on. */
  readonly on: NamesNoteable;
  /** The referenced record, which readers of the note must be able to see; for a commit its project, with its code. */
  readonly about?: {
    readonly issue_id?: number;
    readonly merge_request_id?: number;
    readonly epic_id?: number;
    readonly code_of?: number;
  };
}

const onIssue = ({ issue, project }: IssueInProject): NamesNoteable => ({ project_id: project.id, issue_id: issue.id });

/** An issue as another one names it: `#1`, across projects `group/project#1` (issue-links.md section 4.9). */
const referenceTo = ({ issue, project }: IssueInProject, from: IssueInProject): string =>
  `${project.id === from.project.id ? '' : project.full_path}#${issue.iid}`;

/** The notes on both sides. */
const onBoth = (
  [one, other]: readonly [IssueInProject, IssueInProject],
  action: string,
  [ofOne, ofOther]: readonly [string, string],
): EventNote[] => [
  { on: onIssue(one), about: { issue_id: other.issue.id }, action, text: `${ofOne} ${referenceTo(other, one)}` },
  { on: onIssue(other), about: { issue_id: one.issue.id }, action, text: `${ofOther} ${referenceTo(one, other)}` },
];

const LINKED = {
  relates_to: ['marked this issue as related to', 'marked this issue as related to'],
  blocks: ['marked this issue as blocking', 'marked this issue as blocked by'],
} as const;

type Source = DomainEvent<'issue.mentioned'>['source'];

/** The source that mentions an issue, in reference format, and the record that determines visibility. */
function mentioning(
  source: Source,
  target: IssueInProject,
): Required<Pick<EventNote, 'about'>> & { readonly by: string } {
  const path = ({ id, full_path }: { id: number; full_path: string }) => (id === target.project.id ? '' : full_path);
  if ('issue' in source) return { about: { issue_id: source.issue.id }, by: `issue ${referenceTo(source, target)}` };
  if ('merge_request' in source) {
    const { merge_request: request, project } = source;
    return { about: { merge_request_id: request.id }, by: `merge request ${path(project)}!${request.iid}` };
  }
  if ('epic' in source)
    return { about: { epic_id: source.epic.id }, by: `epic ${source.group.full_path}&${source.epic.iid}` };
  const from = path(source.project);
  return { about: { code_of: source.project.id }, by: `commit ${from === '' ? '' : `${from}@`}${source.commit}` };
}

/** The note on an issue that another record references it. */
function mention({ target, source }: DomainEvent<'issue.mentioned'>): EventNote {
  const { about, by } = mentioning(source, target);
  return { on: onIssue(target), about, action: 'cross_reference', text: `mentioned in ${by}` };
}

const notesOn = (on: NamesNoteable, notes: readonly (SystemNote | null)[]): EventNote[] =>
  notes.flatMap((note) => (note ? [{ on, ...note }] : []));

type OfMergeRequest = DomainEvent<'merge_request.changed' | 'merge_request.approved' | 'merge_request.unapproved'>;

function ofMergeRequest(event: OfMergeRequest): EventNote[] {
  const on = { project_id: event.project.id, merge_request_id: event.merge_request.id };
  if (event.type === 'merge_request.changed') return notesOn(on, event.changes.map(noteOfMergeRequestChange));
  const verb = event.type === 'merge_request.approved' ? 'approved' : 'unapproved';
  return [{ on, action: verb, text: `${verb} this merge request` }];
}

/** The notes for an event, in order. */
export function notesOfEvent(event: RecordedEvent<(typeof NOTED_EVENTS)[number]>['event']): EventNote[] {
  switch (event.type) {
    case 'issue.changed':
      return notesOn(
        onIssue(event),
        event.changes.map((change) => noteOfChange(change, 'issue')),
      );
    case 'issue.moved':
      return onBoth([event.from, event.to], 'moved', ['moved to', 'moved from']);
    case 'issue.cloned':
      return onBoth([event.from, event.to], 'cloned', ['cloned to', 'cloned from']);
    case 'issue.mentioned':
      return [mention(event)];
    case 'issue_link.created':
      return onBoth([event.source, event.target], 'relate', LINKED[event.link_type]);
    case 'issue_link.deleted':
      return onBoth([event.source, event.target], 'unrelate', [
        'removed the relation with',
        'removed the relation with',
      ]);
    case 'epic.changed':
      return notesOn({ namespace_id: event.group.id, epic_id: event.epic.id }, event.changes.map(noteOfEpicChange));
    default:
      return ofMergeRequest(event);
  }
}
