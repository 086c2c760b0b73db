import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '#api';
import { Field, fieldProblem } from '../../../app/forms/Form.js';
import { LabelsField, listed } from '../../../app/forms/LabelsField.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Select } from '../../../ui/Select.js';
import { TitleAndDescription } from '../../../app/forms/TitleAndDescription.js';
import { parentsQuery } from './queries.js';
import type { EpicDetails } from './queries.js';

/** Fields that show their own problems. */
export const EPIC_FIELDS = ['title', 'description', 'labels', 'confidential', 'start_date', 'due_date', 'parent'];

/** The values of an epic's fields, as text. */
type EpicValues = Record<
  'title' | 'description' | 'labels' | 'confidential' | 'start_date' | 'due_date' | 'parent',
  string
>;

export const NO_VALUES: EpicValues = {
  title: '',
  description: '',
  labels: '',
  confidential: '',
  start_date: '',
  due_date: '',
  parent: '',
};

/** The initial values for an existing epic: dates only if they are fixed, not inherited. */
export const getValues = (epic: EpicDetails): EpicValues => ({
  title: epic.title,
  description: epic.description ?? '',
  labels: epic.labels.join(', '),
  confidential: epic.confidential ? 'true' : '',
  start_date: (epic.start_date_is_fixed && epic.start_date_fixed) || '',
  due_date: (epic.due_date_is_fixed && epic.due_date_fixed) || '',
  parent: String(epic.parent_id ?? ''),
});

type EpicAttributes = Omit<Schemas['UpdateEpicBody'], 'state_event'>;

/** Converts each field to the API's format. */
const SAID: { [name in keyof EpicValues]: (text: string) => EpicAttributes } = {
  title: (title) => ({ title }),
  description: (description) => ({ description }),
  labels: (titles) => ({ labels: listed(titles) }),
  confidential: (text) => ({ confidential: text !== '' }),
  start_date: (day) => ({ start_date_is_fixed: day !== '', start_date_fixed: day === '' ? null : day }),
  due_date: (day) => ({ due_date_is_fixed: day !== '', due_date_fixed: day === '' ? null : day }),
  parent: (id) => ({ parent_id: Number(id) }),
};

/** As the API takes them. */
export function getSaid(changed: Partial<EpicValues>): EpicAttributes {
  const said: EpicAttributes = {};
  for (const [name, text] of Object.entries(changed)) Object.assign(said, SAID[name as keyof EpicValues](text));
  return said;
}

interface EpicFieldsProps {
  path: string;
  /** Null for a new one. */
  epic: EpicDetails | null;
  values: EpicValues;
  problem: Error | null;
}

const INHERITED_HINT = 'Leave blank to inherit from issue milestones and child epics.';

/** The fields of an epic, for a new one and for one that is there. */
export function EpicFields({ path, epic, values, problem }: EpicFieldsProps) {
  const [confidential, setConfidential] = useState(values.confidential);
  const at = (name: keyof EpicValues) => fieldProblem(problem, name);
  return (
    <>
      <TitleAndDescription values={values} problem={problem} />
      <LabelsField titles={values.labels} problem={at('labels')} />
      <Select
        label="Confidential"
        name="confidential"
        none="no"
        choices={[{ value: 'true', label: 'yes: visible to Planners and above, and the author' }]}
        value={confidential}
        onChoose={setConfidential}
        problem={at('confidential')}
      />
      <Field
        label="Start date"
        name="start_date"
        type="date"
        hint={INHERITED_HINT}
        defaultValue={values.start_date}
        short
        problem={at('start_date')}
      />
      <Field
        label="Due date"
        name="due_date"
        type="date"
        hint={INHERITED_HINT}
        defaultValue={values.due_date}
        short
        problem={at('due_date')}
      />
      <ParentField path={path} epic={epic} first={values.parent} problem={at('parent')} />
    </>
  );
}

interface ParentFieldProps extends Pick<EpicFieldsProps, 'path' | 'epic'> {
  first: string;
  problem: string | null;
}

/** The epic above it; not offered before the others are known. */
function ParentField({ path, epic, first, problem }: ParentFieldProps) {
  const found = useQuery(parentsQuery(path));
  const [chosen, setChosen] = useState(first);
  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return null;
  const others = found.data.rows.filter(({ id }) => id !== epic?.id);
  const choices = others.map(({ id, title }) => ({ value: String(id), label: title }));
  // One that the list does not reach stays.
  const isListed = first === '' || choices.some(({ value }) => value === first);
  return (
    <Select
      label="Parent epic"
      name="parent"
      none="none"
      choices={
        isListed ? choices : [{ value: first, label: epic?.extras.parent?.title ?? 'Current parent' }, ...choices]
      }
      value={chosen}
      onChoose={setChosen}
      problem={problem}
    />
  );
}
