import type { Resource } from '../../core/operations/operation.js';
import type { Rule } from '../../core/operations/policy.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { epicType, issueType } from '../issuables/issuable-type.js';
import { epic } from '../epics/epic.finder.js';
import { epicPolicy } from '../epics/epic.policy.js';
import type { EpicRecord } from '../epics/epic.entity.js';
import { issue } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.entity.js';
import { projectSnippet } from '../snippets/snippet.finder.js';
import { snippetPolicy } from '../snippets/snippet.policy.js';
import type { ProjectSnippetRecord } from '../snippets/snippet.entity.js';

/** A record that can receive award emoji, with the fields needed for permission checks. */
export interface Awardable {
  readonly id: number;
  /** The project that it lies in; an epic has a group. */
  readonly project?: ProjectRecord | undefined;
  readonly group?: GroupRecord | undefined;
  readonly discussion_locked?: boolean | null | undefined;
}

/**
 * The names that typed queries use for the emoji table of a kind of record. All these tables have the same columns as
 * the one for issues, so its names are used as the type for every kind; `record_id` is the column that references the
 * record, `container_id` the one that references its project or group.
 */
export type AwardTables = Pick<(typeof issueType)['tables'], 'awards' | 'record_id' | 'container_id'>;

/** Typed table names for a kind whose tables have different names. */
export const awardTables = (awards: string, record_id: string, container_id: 'project_id' | 'namespace_id') =>
  ({ awards, record_id, container_id }) as AwardTables;

/** A kind of record that can receive award emoji. Each has its own table with one column that references the record. */
export interface AwardableType<A extends Awardable = Awardable> {
  /** As sentences call it: `an issue`. */
  readonly nounPhrase: string;
  /** As answers and names of operations call it. */
  readonly noun: string;
  readonly tables: AwardTables;
  /** The minimum plan of the instance. */
  readonly plan?: 'premium';
  /** Requires read access; locks the record for writes. */
  readonly resource: Resource<A>;
  /** Who may read the record, as a rule on roles. */
  readonly reads: Rule<A>;
}

export const awardableIssue: AwardableType<IssueRecord> = {
  nounPhrase: 'an issue',
  noun: 'Issue',
  tables: issueType.tables,
  resource: issue,
  reads: issuePolicy.read_issue,
};

export const awardableEpic: AwardableType<EpicRecord> = {
  nounPhrase: 'an epic',
  noun: 'Epic',
  tables: epicType.tables,
  resource: epic,
  reads: epicPolicy.read_epic,
  plan: 'premium',
};

export const awardableSnippet: AwardableType<ProjectSnippetRecord> = {
  nounPhrase: 'a snippet',
  noun: 'Snippet',
  tables: awardTables('snippet_award_emojis', 'snippet_id', 'project_id'),
  resource: projectSnippet,
  reads: snippetPolicy.read_snippet,
};
