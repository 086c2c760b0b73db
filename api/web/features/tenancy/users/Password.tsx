import { useEffect, useRef, useState } from 'react';
import { useMutation } from '../../../data/mutation.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { changePassword } from '../../../data/session.js';
import type { Person } from '../../../data/session.js';

const FIELDS = ['current_password', 'password'];

interface PasswordChange {
  current: string;
  newPassword: string;
}

/** `/-/profile/password`: another password for oneself. */
export default function Password() {
  return <SignedIn>{(person) => <ChangePassword person={person} />}</SignedIn>;
}

function ChangePassword({ person }: { person: Person }) {
  // After a change the form is reset.
  const [round, setRound] = useState(0);
  const said = useRef<HTMLOutputElement>(null);
  // What was pressed is gone with the form.
  useEffect(() => {
    if (round > 0) said.current?.focus();
  }, [round]);
  const [unlike, setUnlike] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ current, newPassword }: PasswordChange) => changePassword(current, newPassword),
    onSuccess: () => setRound(round + 1),
  });
  const submit = (values: FormData) => {
    const [current, newPassword, again] = ['current_password', 'password', 'again'].map((name) =>
      String(values.get(name) ?? ''),
    ) as [string, string, string];
    // Only this page knows of the second time; the rest is the service's to judge.
    const problem = newPassword === again ? null : "doesn't match";
    setUnlike(problem);
    if (problem === null) change.mutate({ current, newPassword });
  };
  return (
    <Page
      title="Change password"
      lead="Changing your password signs you out of all other sessions. Access tokens aren't affected."
      narrow
    >
      <output ref={said} tabIndex={-1} className={change.isSuccess ? undefined : 'hidden'}>
        {change.isSuccess && 'Password changed. You were signed out of all other sessions.'}
      </output>
      <Card>
        <Form
          key={round}
          submit="Change password"
          wide
          busy={change.isPending}
          problem={change.error}
          fields={FIELDS}
          onSubmit={submit}
          focusFirst={round === 0}
        >
          {/* So that whoever keeps passwords for people knows which one this is. */}
          <input hidden readOnly name="username" autoComplete="username" value={person.username} />
          <Field
            label="Current password"
            name="current_password"
            type="password"
            autoComplete="current-password"
            problem={fieldProblem(change.error, 'current_password')}
          />
          <Field
            label="New password"
            name="password"
            type="password"
            autoComplete="new-password"
            problem={fieldProblem(change.error, 'password')}
          />
          <Field
            label="Confirm new password"
            name="again"
            type="password"
            autoComplete="new-password"
            problem={unlike}
          />
        </Form>
      </Card>
    </Page>
  );
}
