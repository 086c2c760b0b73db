import { useMemo, useState } from 'react';
import { atField } from '../../../data/problem.js';
import { Button } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Admitted } from './Admitted.js';
import { MAINTAINERS } from './entries.js';
import { useProtectBranch } from './queries.js';

const ABOUT = [
  [/^Name /, 'name'],
  [/^Protected branch /, 'name'],
] as const;

interface NewRuleProps {
  projectId: string;
  onCreate: (name: string) => void;
  onCancel: () => void;
}

/** The form for another protected branch. */
export function NewBranchRule({ projectId, onCreate, onCancel }: NewRuleProps) {
  const protection = useProtectBranch(projectId);
  const [push, setPush] = useState(MAINTAINERS);
  const [merge, setMerge] = useState(MAINTAINERS);
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
          {
            name: String(values.get('name') ?? '').trim(),
            push,
            merge,
            allow_force_push: values.has('allow_force_push'),
          },
          { onSuccess: ({ name }) => onCreate(name) },
        )
      }
    >
      <Field
        label="Branch"
        name="name"
        hint="A name, or a pattern in which * stands for anything: release/*"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        problem={fieldProblem(error, 'name')}
      />
      <Admitted projectId={projectId} legend="Allowed to push" name="push" keys value={push} onChange={setPush} />
      <Admitted
        projectId={projectId}
        legend="Allowed to merge"
        name="merge"
        keys={false}
        value={merge}
        onChange={setMerge}
      />
      <Check label="Allow force push" name="allow_force_push" hint="Lets those who may push overwrite history." />
    </Form>
  );
}
