import { recordPath, snippetsPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { useCreateSnippet } from './changes.js';
import type { NewSnippet } from './changes.js';
import { newFiles, problemIn } from './files.js';
import { getFields, SnippetFields, useFormFiles } from './SnippetFields.js';

/** `…/-/snippets/new`: the form of another snippet. */
export default function NewSnippetPage({ project }: { project: string | null }) {
  return <SignedIn>{() => <NewSnippetForm project={project} />}</SignedIn>;
}

const NO_VALUES = { title: '', description: '', visibility: 'private' };

function NewSnippetForm({ project }: { project: string | null }) {
  const navigate = useNavigate();
  const creation = useCreateSnippet(project);
  const form = useFormFiles([]);
  const [incomplete, setIncomplete] = useState<Error | null>(null);
  const problem = incomplete ?? creation.error;
  const send = (values: FormData) => {
    const wrong = problemIn(values, form.files);
    setIncomplete(wrong);
    if (wrong) return;
    const text = (name: string) => String(values.get(name) ?? '').replaceAll('\r\n', '\n');
    const description = text('description');
    const body: NewSnippet = {
      title: text('title').trim(),
      visibility: text('visibility') as NewSnippet['visibility'],
      ...(description === '' ? {} : { description }),
      files: newFiles(values, form.files),
    };
    creation.mutate(body, {
      onSuccess: ({ title, web_url: url }) =>
        void navigate(recordPath(url), { state: { said: `Snippet “${title}” created.` } }),
    });
  };
  return (
    <Page
      title="New snippet"
      lead={
        <Link to={snippetsPath(project)}>
          <UnbrokenText>{project === null ? 'Your snippets' : `Snippets in ${project}`}</UnbrokenText>
        </Link>
      }
    >
      <Card>
        <Form
          focusFirst
          submit="Create snippet"
          busy={creation.isPending}
          problem={problem}
          fields={getFields(form.files)}
          beside={<ButtonLink to={snippetsPath(project)}>Cancel</ButtonLink>}
          onSubmit={send}
        >
          <SnippetFields values={NO_VALUES} files={form} problem={problem} />
        </Form>
      </Card>
    </Page>
  );
}
