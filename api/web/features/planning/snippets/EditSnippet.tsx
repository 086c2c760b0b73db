import { useState } from 'react';
import { Button } from '../../../ui/Button.js';
import { changedTexts } from '../../../app/forms/changed-texts.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { useEditSnippet } from './changes.js';
import type { SnippetEdit } from './changes.js';
import { fileChanges, problemIn } from './files.js';
import type { SnippetDetails } from './queries.js';
import { getFields, SnippetFields, useFormFiles } from './SnippetFields.js';

interface EditSnippetProps {
  project: string | null;
  snippet: SnippetDetails;
  onDone: (said: string) => void;
}

/** The form that changes a snippet and its files. */
export function EditSnippet({ project, snippet, onDone }: EditSnippetProps) {
  // The values when the form was opened: the page behind it may be refreshed.
  const [before] = useState(snippet);
  const values = { title: before.title, description: before.description ?? '', visibility: before.visibility };
  const change = useEditSnippet(project, before.id);
  const form = useFormFiles(before.blobs);
  const [incomplete, setIncomplete] = useState<Error | null>(null);
  const problem = incomplete ?? change.error;
  const send = (data: FormData) => {
    const wrong = problemIn(data, form.files);
    setIncomplete(wrong);
    if (wrong) return;
    const files = fileChanges(data, form.files, before.blobs);
    const texts = changedTexts(data, values);
    const changes = { ...texts, ...(files.length === 0 ? {} : { files }) } as SnippetEdit;
    if (Object.keys(changes).length === 0) onDone('No changes.');
    else change.mutate(changes, { onSuccess: () => onDone('Saved.') });
  };
  return (
    <Section title="Edit snippet">
      <Card>
        <Form
          focusFirst
          submit="Save"
          busy={change.isPending}
          problem={problem}
          fields={getFields(form.files)}
          beside={<Button onClick={() => onDone('No changes.')}>Cancel</Button>}
          onSubmit={send}
        >
          <SnippetFields values={values} files={form} problem={problem} />
        </Form>
      </Card>
    </Section>
  );
}
