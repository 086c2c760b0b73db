import { HelpLink } from '../../../app/shell/HelpLink.js';
import type { Container } from '../../../data/containers.js';
import { importPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { PARENT_FIELDS } from './ParentField.js';
import { Sending } from './Sending.js';
import type { ArchiveUpload } from './uploading.js';
import { uploadProblem } from './messages.js';

interface ImportFormProps<Plan> {
  kind: Container['kind'];
  sending: ArchiveUpload<Plan>;
  /** The action of the form's submit button: the import, or a preview of it. */
  first: 'import' | 'preview';
  labels: Readonly<Record<'import' | 'preview', string>>;
  /** The fields before the archive. @param at the problem of a field */
  fields: (at: (name: string) => string | null) => ReactNode;
  /** The result of a preview. @param act runs the import */
  planned: (plan: Plan, act: { busy: boolean; onImport: () => void }) => ReactNode;
}

/** The form of a group or project out of an archive that an export wrote, and what that would make. */
export function ImportForm<Plan>({ kind, sending, first, labels, fields, planned }: ImportFormProps<Plan>) {
  const navigate = useNavigate();
  const problem = uploadProblem(sending.error, kind);
  const at = (name: string) => fieldProblem(problem, name);
  // The preview, and the form values it was created from.
  const [looked, setLooked] = useState<{ plan: Plan; values: FormData } | null>(null);
  const busy = sending.isPending;
  const send = (values: FormData, dryRun: boolean) => {
    if (dryRun) setLooked(null);
    sending.mutate(
      { values, dryRun },
      {
        onSuccess: ({ path, plan }) => {
          if (plan) return setLooked({ plan, values });
          const said = `Upload complete. The ${kind} is being imported.`;
          void navigate(importPath({ kind, path }), { state: { said } });
        },
      },
    );
  };
  const second = first === 'preview' ? 'import' : 'preview';
  return (
    <>
      <Section title="Import an archive" aside={<HelpLink page="archives" section={`import-a-${kind}`} />}>
        <Card>
          {/* What was looked at holds for the fields as they were then. */}
          <div onChange={() => setLooked(null)}>
            <Form
              focusFirst
              submit={labels[first]}
              busy={busy}
              problem={problem}
              fields={['name', 'path', PARENT_FIELDS[kind], 'file']}
              onSubmit={(values) => send(values, first === 'preview')}
              beside={
                <Button
                  busy={busy}
                  onClick={({ currentTarget: { form } }) => form && send(new FormData(form), second === 'preview')}
                >
                  {labels[second]}
                </Button>
              }
            >
              {fields(at)}
              <Field
                label="Archive"
                name="file"
                type="file"
                accept=".gz,application/gzip"
                hint="The .tar.gz file of an export."
                problem={at('file')}
              />
            </Form>
          </div>
          {busy && <Sending sent={sending.sent} onStop={sending.stop} />}
        </Card>
      </Section>
      {looked && planned(looked.plan, { busy, onImport: () => send(looked.values, false) })}
    </>
  );
}
