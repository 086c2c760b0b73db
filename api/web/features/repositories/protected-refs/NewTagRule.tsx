import { useMemo, useState } from 'react';
import { atField } from '../../../data/problem.js';
import { Button } from '../../../ui/Button.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Admitted } from './Admitted.js';
import { MAINTAINERS } from './entries.js';
import { useProtectTag } from './queries.js';

const ABOUT = [[/^Name /, 'name']] as const;

interface NewTagRuleProps {
  projectId: string;
  onCreate: (name: string) => void;
  onCancel: () => void;
}

/** The form for another protected tag. */
export function NewTagRule({ projectId, onCreate, onCancel }: NewTagRuleProps) {
  const protection = useProtectTag(projectId);
  const [create, setCreate] = useState(MAINTAINERS);
  const error = useMemo(() => atField(protection.error, ABOUT), [protection.error]);
  return (
    <Form
      focusFirst
      submit="Protect"
      busy={protection.isPending}
      problem={error}
      fields={['name']}
      beside={<Button onClick={onCancel}>Cancel</Button>}
      onSubmit={(values) =>
        protection.mutate(
          { name: String(values.get('name') ?? '').trim(), create },
          { onSuccess: ({ name }) => onCreate(name) },
        )
      }
    >
      <Field
        label="Tag"
        name="name"
        hint="A name, or a pattern in which * stands for anything: v*"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        problem={fieldProblem(error, 'name')}
      />
      <Admitted
        projectId={projectId}
        legend="Allowed to create"
        name="create"
        keys
        value={create}
        onChange={setCreate}
      />
    </Form>
  );
}
