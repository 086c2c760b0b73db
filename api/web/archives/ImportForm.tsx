import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { HelpLink } from '../help/HelpLink.js';
import { Button } from '../ui/Button.js';
import { Field, fieldProblem, Form } from '../ui/Form.js';
import { Card, Section } from '../ui/Page.js';
import { importOf } from './address.js';
import type { ContainerKind } from './address.js';
import { PARENT_FIELDS } from './ParentField.js';
import { Sending } from './Sending.js';
import type { ArchiveUpload } from './uploading.js';
import { uploadProblem } from './messages.js';

interface ImportFormProps<Plan> {
  kind: ContainerKind;
  sending: ArchiveUpload<Plan>;
  /** What the button at the end of the form does: the import, or a look at what it would make. */
  first: 'import' | 'preview';
  labels: Readonly<Record<'import' | 'preview', string>>;
  /** The fields before the archive. @param at the problem of a field */
  fields: (at: (name: string) => string | null) => ReactNode;
  /** What the import would make. @param act has it done */
  planned: (plan: Plan, act: { busy: boolean; onImport: () => void }) => ReactNode;
}

/** The form of a group or project out of an archive that an export wrote, and what that would make. */
export function ImportForm<Plan>({ kind, sending, first, labels, fields, planned }: ImportFormProps<Plan>) {
  const navigate = useNavigate();
  const problem = uploadProblem(sending.error, kind);
  const at = (name: string) => fieldProblem(problem, name);
  // What was looked at, and with which fields.
  const [looked, setLooked] = useState<{ plan: Plan; values: FormData } | null>(null);
  const busy = sending.isPending;
  const send = (values: FormData, dryRun: boolean) => {
    if (dryRun) setLooked(null);
    sending.mutate(
      { values, dryRun },
      {
        onSuccess: ({ path, plan }) => {
          if (plan) return setLooked({ plan, values });
          const said = `The archive is taken, and the ${kind} is made.`;
          void navigate(importOf({ kind, path }), { state: { said } });
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
                hint="The file that an export wrote, ending in .tar.gz."
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
