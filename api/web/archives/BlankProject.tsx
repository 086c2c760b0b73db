import { useNavigate, useSearchParams } from 'react-router';
import { named } from '../containers/address.js';
import { Check } from '../look/Check.js';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { Card } from '../look/Page.js';
import { useMakeProject } from './making.js';
import { VisibilityField } from './VisibilityField.js';
import { visibilityOf, makingProblem } from './making-words.js';

const FIELDS = ['name', 'path', 'namespace', 'description', 'visibility'];

/** An empty project, which begins with a README where that is wanted. */
export function BlankProject() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const making = useMakeProject();
  const problem = makingProblem(making.error, 'project');
  const at = (name: string) => fieldProblem(problem, name);
  return (
    <Card>
      <Form
        focusFirst
        submit="Create project"
        busy={making.isPending}
        problem={problem}
        fields={FIELDS}
        onSubmit={(values) => {
          const text = (name: string) => String(values.get(name) ?? '').trim();
          making.mutate(
            {
              name: text('name'),
              path: text('path'),
              namespace: text('namespace'),
              description: text('description'),
              visibility: visibilityOf(values),
              readme: values.get('readme') !== null,
            },
            { onSuccess: ({ path_with_namespace: path }) => void navigate(named(path)) },
          );
        }}
      >
        <Field label="Name" name="name" autoComplete="off" maxLength={255} problem={at('name')} />
        <Field
          label="Path"
          name="path"
          autoComplete="off"
          hint="In its address, such as rocket; made of the name where left empty."
          problem={at('path')}
        />
        <Field
          label="Namespace"
          name="namespace"
          autoComplete="off"
          defaultValue={search.get('namespace') ?? ''}
          hint="Full path of the group that it lies in; your own namespace where left empty."
          problem={at('namespace')}
        />
        <Field label="Description" name="description" autoComplete="off" problem={at('description')} />
        <VisibilityField problem={at('visibility')} />
        <Check
          label="Begin with a README"
          name="readme"
          on
          hint="Then it has a branch, which schedules need. Leave it out to push a repository that you have."
        />
      </Form>
    </Card>
  );
}
