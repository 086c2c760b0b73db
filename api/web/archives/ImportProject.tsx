import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '../look/Button.js';
import { Check } from '../look/Check.js';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { Card, Section } from '../look/Page.js';
import { importOf } from './address.js';
import { ProjectPlanView } from './ProjectPlanView.js';
import { ARCHIVE_HINT, ARCHIVE_TYPES, Sending } from './Sending.js';
import { useProjectUpload } from './uploading.js';
import type { ProjectPlan } from './uploading.js';
import { uploadProblem } from './words.js';

const FIELDS = ['name', 'path', 'namespace', 'file'];

/** A project out of an archive that an export wrote, here or elsewhere. */
export function ImportProject() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const sending = useProjectUpload();
  const problem = uploadProblem(sending.error, 'project');
  const at = (name: string) => fieldProblem(problem, name);
  const [looked, setLooked] = useState<{ plan: ProjectPlan; values: FormData } | null>(null);
  const send = (values: FormData, dryRun: boolean) => {
    if (dryRun) setLooked(null);
    sending.mutate(
      { values, dryRun },
      {
        onSuccess: ({ path, plan }) => {
          if (plan) return setLooked({ plan, values });
          const said = 'The archive is taken, and the project is made.';
          void navigate(importOf({ kind: 'project', path }), { state: { said } });
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
              submit="Import project"
              busy={sending.isPending}
              problem={problem}
              fields={FIELDS}
              onSubmit={(values) => send(values, false)}
              beside={
                <Button
                  busy={sending.isPending}
                  onClick={({ currentTarget: { form } }) => form && send(new FormData(form), true)}
                >
                  Show what it would make
                </Button>
              }
            >
              <Field
                label="Path"
                name="path"
                autoComplete="off"
                hint="In its address, such as rocket."
                problem={at('path')}
              />
              <Field
                label="Name"
                name="name"
                autoComplete="off"
                hint="The path where left empty."
                problem={at('name')}
              />
              <Field
                label="Namespace"
                name="namespace"
                autoComplete="off"
                defaultValue={search.get('namespace') ?? ''}
                hint="Full path of the group that it lies in; your own namespace where left empty. Import a group before its projects: their issues find their epics then."
                problem={at('namespace')}
              />
              <Check
                label="Replace a project of this path"
                name="overwrite"
                hint="The one that is there is marked for deletion. Owners of it may do that."
              />
              <Field
                label="Archive"
                name="file"
                type="file"
                accept={ARCHIVE_TYPES}
                hint={ARCHIVE_HINT}
                problem={at('file')}
              />
            </Form>
          </div>
          {sending.isPending && <Sending sent={sending.sent} onStop={sending.stop} />}
        </Card>
      </Section>
      {looked && (
        <ProjectPlanView plan={looked.plan} busy={sending.isPending} onImport={() => send(looked.values, false)} />
      )}
    </>
  );
}
