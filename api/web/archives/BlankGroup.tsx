import { useNavigate, useSearchParams } from 'react-router';
import { pageOf } from '../containers/address.js';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { Card } from '../look/Page.js';
import { useMakeGroup } from './making.js';
import { makingProblem, visibilityOf } from './making-words.js';
import { VisibilityField } from './VisibilityField.js';

const FIELDS = ['name', 'path', 'parent', 'description', 'visibility'];

/** An empty group, by itself or in another. */
export function BlankGroup() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const making = useMakeGroup();
  const problem = makingProblem(making.error, 'group');
  const at = (name: string) => fieldProblem(problem, name);
  return (
    <Card>
      <Form
        focusFirst
        submit="Create group"
        busy={making.isPending}
        problem={problem}
        fields={FIELDS}
        onSubmit={(values) => {
          const text = (name: string) => String(values.get(name) ?? '').trim();
          making.mutate(
            {
              name: text('name'),
              path: text('path'),
              parent: text('parent'),
              description: text('description'),
              visibility: visibilityOf(values),
            },
            { onSuccess: ({ full_path: path }) => void navigate(pageOf({ kind: 'group', path })) },
          );
        }}
      >
        <Field label="Name" name="name" autoComplete="off" maxLength={255} problem={at('name')} />
        <Field
          label="Path"
          name="path"
          autoComplete="off"
          hint="In its address, such as rockets."
          problem={at('path')}
        />
        <Field
          label="Parent group"
          name="parent"
          autoComplete="off"
          defaultValue={search.get('parent') ?? ''}
          hint="Full path of the group that it lies in; empty for a group of its own."
          problem={at('parent')}
        />
        <Field label="Description" name="description" autoComplete="off" problem={at('description')} />
        <VisibilityField problem={at('visibility')} />
      </Form>
    </Card>
  );
}
