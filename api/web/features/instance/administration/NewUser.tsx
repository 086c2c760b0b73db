import { useNavigate } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card } from '../../../ui/Page.js';
import { AdminPage } from './AdminPage.js';
import { useCreateUser } from './queries.js';

const FIELDS = ['name', 'username', 'email', 'password'];

/** `/admin/users/new`: creates a user. */
export function NewUser() {
  const creation = useCreateUser();
  const navigate = useNavigate();
  const problem = (name: string) => fieldProblem(creation.error, name);
  return (
    <AdminPage title="New user">
      <Card>
        <Form
          focusFirst
          submit="Create user"
          busy={creation.isPending}
          problem={creation.error}
          fields={FIELDS}
          beside={<ButtonLink to="/admin/users">Cancel</ButtonLink>}
          onSubmit={(values) => {
            const text = (name: string) => String(values.get(name) ?? '').trim();
            creation.mutate(
              {
                name: text('name'),
                username: text('username'),
                email: text('email'),
                password: String(values.get('password') ?? ''),
                admin: values.get('admin') !== null,
                external: values.get('external') !== null,
                skip_confirmation: true,
              },
              { onSuccess: ({ username }) => void navigate(`/admin/users/${username}`) },
            );
          }}
        >
          <Field label="Name" name="name" autoComplete="off" maxLength={255} problem={problem('name')} />
          <Field
            label="Username"
            name="username"
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            problem={problem('username')}
          />
          <Field label="Email" name="email" type="email" autoComplete="off" problem={problem('email')} />
          <Field
            label="Password"
            name="password"
            type="password"
            hint="The user can change it in their settings."
            autoComplete="new-password"
            problem={problem('password')}
          />
          <Check label="Administrator" name="admin" hint="Can see and change everything." />
          <Check label="External" name="external" hint="Can only see projects and groups they are a member of." />
        </Form>
      </Card>
    </AdminPage>
  );
}
