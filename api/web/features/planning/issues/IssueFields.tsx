import { useState } from 'react';
import { changedTexts } from '../../../app/forms/changed-texts.js';
import { Check } from '../../../ui/Check.js';
import { Field, fieldProblem } from '../../../app/forms/Form.js';
import { LabelsField, listed } from '../../../app/forms/LabelsField.js';
import { Select } from '../../../ui/Select.js';
import { TitleAndDescription } from '../../../app/forms/TitleAndDescription.js';
import type { IssueAttributes } from './changes.js';
import type { IssuesProject } from './queries.js';

/** The types of issues, with labels. */
export const TYPES = { issue: 'Issue', incident: 'Incident', test_case: 'Test case', task: 'Task' } as const;

/** Fields that show their own problems. */
export const ISSUE_FIELDS = ['title', 'description', 'labels', 'assignees', 'milestone_id', 'due_date', 'weight'];

/** The values of an issue's fields, as text. */
export interface IssueValues {
  title: string;
  description: string;
  labels: string;
  assignees: string;
  milestone_id: string;
  due_date: string;
  weight: string;
  issue_type: string;
  severity: string;
  confidential: boolean;
}

export const NO_VALUES: IssueValues = {
  title: '',
  description: '',
  labels: '',
  assignees: '',
  milestone_id: '',
  due_date: '',
  weight: '',
  issue_type: 'issue',
  severity: 'unknown',
  confidential: false,
};

const numberOrNone = (text: string) => (text === '' ? null : Number(text));

/** Converts each field to the API's format. */
const SAID: { [name in keyof Omit<IssueValues, 'confidential'>]: (text: string) => Partial<IssueAttributes> } = {
  title: (title) => ({ title }),
  description: (description) => ({ description }),
  labels: (labels) => ({ labels: listed(labels) }),
  assignees: (assignees) => ({ assignees: listed(assignees) }),
  milestone_id: (id) => ({ milestone_id: numberOrNone(id) }),
  due_date: (day) => ({ due_date: day === '' ? null : day }),
  weight: (weight) => ({ weight: numberOrNone(weight) }),
  issue_type: (type) => ({ issue_type: type as IssueAttributes['issue_type'] }),
  severity: (severity) => ({ severity: severity as IssueAttributes['severity'] }),
};

/**
 * The form values that differ from the previous ones, so that concurrent changes by others are preserved.
 * @param hides whether the form offers the confidential checkbox
 */
export function changedIn(values: FormData, before: IssueValues, hides: boolean): Partial<IssueAttributes> {
  const changed: Partial<IssueAttributes> = {};
  const { confidential, ...texts } = before;
  for (const [name, now] of Object.entries(changedTexts(values, texts)))
    Object.assign(changed, SAID[name as keyof typeof SAID](now));
  // A box that is not ticked is not among the values; a field that is not offered is neither.
  const hidden = values.get('confidential') === 'on';
  if (hides && hidden !== confidential) changed.confidential = hidden;
  return changed;
}

interface IssueFieldsProps {
  values: IssueValues;
  problem: Error | null;
  /** Whether the user may make it confidential: any user for a new issue, otherwise users with planning permissions. */
  hides: boolean;
  /** What it may be planned for; without it labels, people, dates and the like are not offered. */
  project: IssuesProject | null;
  /** The milestone that it has, which may be none of those that are open. */
  milestone: { id: number; title: string } | null;
}

/** The fields of an issue, for a new one and for one that is there. */
export function IssueFields({ values, problem, hides, project, milestone }: IssueFieldsProps) {
  const at = (name: string) => fieldProblem(problem, name);
  return (
    <>
      <TitleAndDescription
        values={values}
        problem={problem}
        hint="Supports Markdown. Start a line with - [ ] to add a task."
      />
      {hides && (
        <Check
          label="Confidential"
          name="confidential"
          hint="Visible only to Planners and above, the author and assignees."
          on={values.confidential}
        />
      )}
      {project && <Planning values={values} at={at} project={project} milestone={milestone} />}
    </>
  );
}

interface PlanningProps extends Pick<IssueFieldsProps, 'values' | 'milestone'> {
  at: (name: string) => string | null;
  project: IssuesProject;
}

const TYPE_CHOICES = Object.entries(TYPES).map(([value, label]) => ({ value, label }));
const SEVERITIES = ['unknown', 'low', 'medium', 'high', 'critical'];

/** What kind of issue it is, and how bad an incident. */
function Kind({ values }: { values: IssueValues }) {
  const [type, setType] = useState(values.issue_type);
  const [severity, setSeverity] = useState(values.severity);
  return (
    <>
      <Select label="Type" name="issue_type" choices={TYPE_CHOICES} value={type} onChoose={setType} />
      {type === 'incident' && (
        <Select label="Severity" name="severity" choices={SEVERITIES} value={severity} onChoose={setSeverity} />
      )}
    </>
  );
}

function Planning({ values, at, project, milestone }: PlanningProps) {
  const [chosen, setChosen] = useState(values.milestone_id);
  const open = (project.milestones?.nodes ?? []).map(({ id, title }) => ({
    value: id.slice(id.lastIndexOf('/') + 1),
    label: title,
  }));
  const own = milestone && { value: String(milestone.id), label: milestone.title };
  const choices = own && !open.some(({ value }) => value === own.value) ? [own, ...open] : open;
  return (
    <>
      <Kind values={values} />
      <LabelsField titles={values.labels} problem={at('labels')} />
      <Field
        label="Assignees"
        name="assignees"
        hint="Usernames, separated by commas."
        defaultValue={values.assignees}
        autoComplete="off"
        problem={at('assignees')}
      />
      <Select label="Milestone" name="milestone_id" none="None" choices={choices} value={chosen} onChoose={setChosen} />
      <Field
        label="Due date"
        name="due_date"
        type="date"
        defaultValue={values.due_date}
        short
        problem={at('due_date')}
      />
      <Field
        label="Weight"
        name="weight"
        type="number"
        min={0}
        hint="Estimated effort, 0 or more. Requires the Premium plan."
        defaultValue={values.weight}
        short
        problem={at('weight')}
      />
    </>
  );
}
