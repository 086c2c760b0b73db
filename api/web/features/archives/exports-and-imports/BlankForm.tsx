import type { Container } from '../../../data/containers.js';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card } from '../../../ui/Page.js';
import { Select } from '../../../ui/Select.js';
import { ApiProblem } from '../../../data/problem.js';
import type { NewOne, Visibility } from './making.js';
import { PARENT_FIELDS, ParentField } from './ParentField.js';
import { uploadProblem } from './messages.js';

/** The error of creating a project or group, assigned to its field: the API reports visibility by its level. */
function makingProblem(error: Error | null, kind: Container['kind']): Error | null {
  if (!(error instanceof ApiProblem)) return error;
  const { visibility_level: level, ...fields } = error.fields;
  const { message, status, requestId, hint } = error;
  const formFields = level ? { ...fields, visibility: level } : fields;
  return uploadProblem(new ApiProblem(message, status, requestId, formFields, hint), kind);
}

const CHOICES = [
  { value: 'private', label: 'Private: members only' },
  { value: 'internal', label: 'Internal: all signed-in users' },
  { value: 'public', label: 'Public: everyone' },
];

/** The visibility of the new project or group. */
function VisibilityField({ problem }: { problem: string | null }) {
  const [value, setValue] = useState('private');
  return (
    <Select
      label="Visibility"
      name="visibility"
      hint="Can't be wider than the visibility of the parent group."
      choices={CHOICES}
      value={value}
      onChoose={setValue}
      problem={problem}
    />
  );
}

interface BlankFormProps {
  kind: Container['kind'];
  making: { isPending: boolean; error: Error | null };
  pathHint: string;
  parentHint: string;
  /** @param parent full path of what it lies in, empty for none @param values of all fields */
  onMake: (attributes: NewOne, parent: string, values: FormData) => void;
  /** Additional fields. */
  children?: ReactNode;
}

/** The form of an empty group or project. */
export function BlankForm({ kind, making, pathHint, parentHint, onMake, children }: BlankFormProps) {
  const problem = makingProblem(making.error, kind);
  const at = (name: string) => fieldProblem(problem, name);
  const field = PARENT_FIELDS[kind];
  return (
    <Card>
      <Form
        focusFirst
        submit={`Create ${kind}`}
        busy={making.isPending}
        problem={problem}
        fields={['name', 'path', field, 'description', 'visibility']}
        onSubmit={(values) => {
          const text = (name: string) => String(values.get(name) ?? '').trim();
          const attributes = {
            name: text('name'),
            path: text('path'),
            description: text('description'),
            visibility: text('visibility') as Visibility,
          };
          onMake(attributes, text(field), values);
        }}
      >
        <Field label="Name" name="name" autoComplete="off" maxLength={255} problem={at('name')} />
        <Field label="Path" name="path" autoComplete="off" hint={pathHint} problem={at('path')} />
        <ParentField kind={kind} hint={parentHint} problem={at(field)} />
        <Field label="Description" name="description" autoComplete="off" problem={at('description')} />
        <VisibilityField problem={at('visibility')} />
        {children}
      </Form>
    </Card>
  );
}
