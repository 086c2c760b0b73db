import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '../look/Button.js';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { Card, Section } from '../look/Page.js';
import { importOf } from './address.js';
import { GroupPlanView } from './GroupPlanView.js';
import { ARCHIVE_HINT, ARCHIVE_TYPES, Sending } from './Sending.js';
import { useGroupUpload } from './uploading.js';
import type { GroupPlan } from './uploading.js';
import { uploadProblem } from './words.js';

const FIELDS = ['parent', 'name', 'path', 'file'];

/** What was looked at, and with which fields. */
interface Looked {
  plan: GroupPlan;
  values: FormData;
}

/** A group out of an archive, after a look at what that would make. */
export function ImportGroup() {
  const navigate = useNavigate();
  const [looked, setLooked] = useState<Looked | null>(null);
  const sending = useGroupUpload();
  const problem = uploadProblem(sending.error, 'group');
  const send = (values: FormData, dryRun: boolean) => {
    if (dryRun) setLooked(null);
    sending.mutate(
      { values, dryRun },
      {
        onSuccess: ({ path, plan }) => {
          if (plan) return setLooked({ plan, values });
          const said = 'The archive is taken, and the group is made.';
          void navigate(importOf({ kind: 'group', path }), { state: { said } });
        },
      },
    );
  };
  return (
    <>
      <Section title="Import an archive">
        <Card>
          {/* What was looked at holds for the fields as they were then. */}
          <div onChange={() => setLooked(null)}>
            <Form
              focusFirst
              submit="Show what it would make"
              busy={sending.isPending}
              problem={problem}
              fields={FIELDS}
              onSubmit={(values) => send(values, true)}
              beside={
                <Button busy={sending.isPending} onClick={(event) => sendForm(event.currentTarget, send)}>
                  Import without a look
                </Button>
              }
            >
              <Fields problem={problem} />
            </Form>
          </div>
          {sending.isPending && <Sending sent={sending.sent} onStop={sending.stop} />}
        </Card>
      </Section>
      {looked && (
        <GroupPlanView plan={looked.plan} busy={sending.isPending} onImport={() => send(looked.values, false)} />
      )}
    </>
  );
}

function sendForm(button: HTMLButtonElement, send: (values: FormData, dryRun: boolean) => void): void {
  if (button.form) send(new FormData(button.form), false);
}

function Fields({ problem }: { problem: Error | null }) {
  const [search] = useSearchParams();
  return (
    <>
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        problem={fieldProblem(problem, 'name')}
        hint="Of the new group; the archive's own name is not taken."
      />
      <Field
        label="Path"
        name="path"
        autoComplete="off"
        problem={fieldProblem(problem, 'path')}
        hint="In its address, such as rockets."
      />
      <Field
        label="Parent group"
        name="parent"
        autoComplete="off"
        defaultValue={search.get('parent') ?? ''}
        problem={fieldProblem(problem, 'parent')}
        hint="Full path of the group that it lies in; empty for a group of its own, which is private at first."
      />
      <Field
        label="Archive"
        name="file"
        type="file"
        accept={ARCHIVE_TYPES}
        problem={fieldProblem(problem, 'file')}
        hint={ARCHIVE_HINT}
      />
    </>
  );
}
