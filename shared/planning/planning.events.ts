import type { ContainerRef } from '../core/operations/container.js';
import type { ContainerSummary, GroupSummary, ProjectSummary } from '../tenancy/tenancy.events.js';
import type {
  IssuableChange,
  LabelSummary,
  MilestoneSummary,
  EpicChange,
  EpicName,
} from './issuables/issuable-changes.js';
import type { MentioningSource } from './issue-links/cross-references.js';
import type { Epic } from './epics/epic.entity.js';
import type { Snippet } from './snippets/snippet.entity.js';
import type { Issue } from './issues/issue.entity.js';

/** An issue with the project it lies in. */
export interface IssueInProject {
  readonly issue: Issue;
  readonly project: ProjectSummary;
}

/** Fields reported for an issue that was deleted in bulk. */
export type RemovedIssue = Pick<Issue, 'project_id' | 'issue_type' | 'state' | 'confidential' | 'created_at'> & {
  readonly closed_at: Date | null;
};
/** An epic with the group it lies in. */
interface EpicEvent {
  readonly epic: Epic;
  readonly group: GroupSummary;
}

/** A badge as recorded in the audit log. */
export interface BadgeSummary {
  readonly id: number;
  readonly name?: string | null | undefined;
  readonly link_url: string;
  readonly image_url: string;
}

interface LabelEvent {
  readonly container: ContainerSummary;
  readonly label: LabelSummary;
}

interface MilestoneEvent {
  readonly container: ContainerSummary;
  readonly milestone: MilestoneSummary;
}

interface BoardEvent {
  readonly container: ContainerSummary;
  readonly board: { readonly id: number; readonly name: string };
}

interface BadgeEvent {
  readonly container: ContainerSummary;
  readonly badge: BadgeSummary;
}

/** A snippet with the project it lies in; null for a personal one. */
interface SnippetEvent {
  readonly snippet: Pick<Snippet, 'id' | 'title' | 'author_id' | 'visibility'>;
  readonly project: ProjectSummary | null;
}

export interface PlanningEvents {
  /** Pages of a wiki were made, changed or deleted by one commit or push; 100 of them at most. */
  'wiki.changed': {
    readonly container: ContainerRef;
    readonly pages: readonly {
      readonly action: 'created' | 'updated' | 'deleted';
      readonly slug: string;
      readonly title: string;
      readonly meta_id: number | null;
    }[];
  };
  'snippet.created': SnippetEvent;
  /** `snippet` as it is now. */
  'snippet.updated': SnippetEvent & { readonly before: SnippetEvent['snippet'] };
  'snippet.deleted': SnippetEvent;
  'board.created': BoardEvent;
  'board.updated': BoardEvent;
  'board.deleted': BoardEvent;
  /** A list was added, moved or removed. */
  'board.arranged': BoardEvent;
  'badge.created': BadgeEvent;
  'badge.updated': BadgeEvent & { readonly before: BadgeSummary };
  'badge.deleted': BadgeEvent;
  'label.created': LabelEvent;
  'label.updated': LabelEvent;
  'label.deleted': LabelEvent;
  /** A label of a project became one of its group, `container`; those in `merged` became one with it and are gone. */
  'label.promoted': LabelEvent & { readonly merged: readonly number[] };
  'milestone.created': MilestoneEvent;
  /** `turned`: set when the milestone was closed or reopened. */
  'milestone.updated': MilestoneEvent & { readonly turned?: 'closed' | 'active' };
  'milestone.deleted': MilestoneEvent;
  /** A milestone of a project became one of its group, as labels do; `project_ids` had it or one of those in `merged`. */
  'milestone.promoted': MilestoneEvent & {
    readonly merged: readonly number[];
    readonly project_ids: readonly number[];
  };
  /** `changes` are the initial values other than title and description: labels, milestone, weight, assignees. */
  'issue.created': IssueInProject & { readonly changes: readonly IssuableChange[] };
  /** `issue` as it is now, `closed_before` when it was closed until then. */
  'issue.changed': IssueInProject & {
    readonly changes: readonly IssuableChange[];
    readonly closed_before?: Date | null;
  };
  /** Closed and recreated in another project. */
  'issue.moved': { readonly from: IssueInProject; readonly to: IssueInProject };
  /** `with_notes`: the discussions are copied as well. */
  'issue.cloned': { readonly from: IssueInProject; readonly to: IssueInProject; readonly with_notes: boolean };
  'issue.deleted': IssueInProject;
  /** Gone with their author, who was removed with all that they wrote. */
  'issues.removed': { readonly issues: readonly RemovedIssue[] };
  /** The first time that something refers to an issue: an issue, merge request, epic, or the message of a commit. */
  'issue.mentioned': {
    readonly target: IssueInProject;
    readonly source: MentioningSource;
  };
  /** `changes` are the initial values other than title and description: labels and parent. */
  'epic.created': EpicEvent & { readonly changes: readonly EpicChange[] };
  /** `epic` as it is now. */
  'epic.changed': EpicEvent & { readonly changes: readonly EpicChange[] };
  'epic.deleted': EpicEvent;
  /** An issue came into an epic, left it, or went from one to another. */
  'epic_issue.changed': IssueInProject & { readonly from: EpicName | null; readonly to: EpicName | null };
  /** As stored: `blocks` is never reported in the reverse direction. */
  'issue_link.created': {
    readonly source: IssueInProject;
    readonly target: IssueInProject;
    readonly link_type: 'relates_to' | 'blocks';
  };
  'issue_link.deleted': {
    readonly source: IssueInProject;
    readonly target: IssueInProject;
    readonly link_type: 'relates_to' | 'blocks';
  };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends PlanningEvents {}
}
