import { issueReferencePath } from './reference.js';
import { issuesPath } from '../../../app/routing/paths.js';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { IssuePerson } from '../../../data/api.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Labels } from '../../../ui/Labels.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { MilestoneLink } from '../../../app/records/MilestoneLink.js';
import { DueDay } from './issue-columns.js';
import { TYPES } from './IssueFields.js';
import styles from './IssuePage.module.css';
import type { IssueDetails } from './queries.js';

type Detail = readonly [string, ReactNode];

/** The attributes of an issue; empty ones are omitted, except assignees and planning attributes. */
export function IssueSummary({ path, issue }: { path: string; issue: IssueDetails }) {
  const open = issue.state === 'opened';
  const details: (Detail | null)[] = [
    ['State', <StateOf key="state" issue={issue} />],
    issue.confidential
      ? [
          'Confidential',
          <State key="confidential" tone="warn">
            confidential
          </State>,
        ]
      : null,
    issue.issue_type === 'issue' ? null : ['Type', getType(issue)],
    ['Assignees', <People key="assignees" people={issue.assignees} />],
    ['Milestone', issue.milestone ? <MilestoneLink key="milestone" milestone={issue.milestone} /> : 'none'],
    issue.epic
      ? [
          'Epic',
          <Link key="epic" to={issue.epic.url}>
            <UnbrokenText>{issue.epic.title}</UnbrokenText>
          </Link>,
        ]
      : null,
    ['Labels', issue.extras.labels?.nodes.length ? <LabelsOf key="labels" path={path} issue={issue} /> : 'none'],
    issue.start_date
      ? [
          'Start date',
          <time key="begins" dateTime={issue.start_date}>
            {issue.start_date}
          </time>,
        ]
      : null,
    issue.due_date ? ['Due date', <DueDay key="due" day={issue.due_date} open={open} />] : null,
    issue.weight === null ? null : ['Weight', String(issue.weight)],
    issue.has_tasks ? ['Tasks', issue.task_status] : null,
    getTime(issue),
    ['Updated', <Time key="changed" at={issue.updated_at} />],
    issue.discussion_locked ? ['Discussion', 'locked: only members can comment'] : null,
    elsewhere('Moved to', issue.extras.movedTo),
    elsewhere('Duplicate of', issue.extras.closedAsDuplicateOf),
  ];
  return <DetailList details={details.filter((detail): detail is Detail => detail !== null)} />;
}

function StateOf({ issue: { state, closed_at: at, closed_by: by } }: { issue: IssueDetails }) {
  if (state === 'opened') return <State tone="good">open</State>;
  return (
    <State tone="quiet">
      closed {at && <Time at={at} />} {by && <UnbrokenText>{`by ${by.name}`}</UnbrokenText>}
    </State>
  );
}

function getType({ issue_type: type, severity }: IssueDetails): string {
  return type === 'incident' && severity !== 'UNKNOWN'
    ? `${TYPES[type]}, severity ${severity.toLowerCase()}`
    : TYPES[type];
}

function People({ people }: { people: readonly IssuePerson[] }) {
  if (people.length === 0) return 'none';
  return (
    <span className={styles.people}>
      {people.map(({ id, name, username }) => (
        <span key={id} title={username}>
          <UnbrokenText>{name}</UnbrokenText>
        </span>
      ))}
    </span>
  );
}

function LabelsOf({ path, issue }: { path: string; issue: IssueDetails }) {
  const labels = (issue.extras.labels?.nodes ?? []).map(({ title, ...rest }) => ({ name: title, ...rest }));
  return <Labels list={issuesPath(path)} labels={labels} />;
}

function getTime({ time_stats: time }: IssueDetails): Detail | null {
  const { human_time_estimate: estimate, human_total_time_spent: spent } = time;
  if (!estimate && !spent) return null;
  return ['Time', [estimate && `${estimate} estimated`, spent && `${spent} spent`].filter(Boolean).join(', ')];
}

function elsewhere(name: string, issue: { reference: string } | null): Detail | null {
  if (!issue) return null;
  return [
    name,
    <Link key={name} to={issueReferencePath(issue.reference)}>
      <UnbrokenText>{issue.reference}</UnbrokenText>
    </Link>,
  ];
}
