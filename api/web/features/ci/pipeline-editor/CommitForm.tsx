import { useMemo } from 'react';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { atField } from '../../../data/problem.js';
import { Section } from '../../../ui/Page.js';
import { TextArea } from '../../../ui/TextArea.js';
import styles from './PipelineEditor.module.css';

const FIELDS = ['commit_message', 'branch'];

/** Refusals that are about the branch. */
const MESSAGES = [[/^(?:You are not allowed to push|A branch called|Branch name is invalid)/, 'branch']] as const;

interface CommitFormProps {
  file: string;
  isNew: boolean;
  /** The branch that the file was read from; null in an empty repository. */
  from: string | null;
  /** The branch to commit to by default. */
  target: string;
  /** Whether the text differs from the file. */
  isChanged: boolean;
  busy: boolean;
  problem: Error | null;
  onCommit: (message: string, branch: string) => void;
}

/** The message and branch of a commit. */
export function CommitForm({ file, isNew, from, target, isChanged, busy, problem, onCommit }: CommitFormProps) {
  const error = useMemo(() => atField(problem, MESSAGES), [problem]);
  if (!isChanged)
    return (
      <Section title="Commit changes">
        <p className={styles.note}>No changes to commit.</p>
      </Section>
    );
  return (
    <Section title="Commit changes">
      <Form
        submit="Commit changes"
        busy={busy}
        problem={error}
        fields={FIELDS}
        onSubmit={(values) => onCommit(String(values.get('commit_message')), String(values.get('branch')).trim())}
      >
        <TextArea
          label="Commit message"
          name="commit_message"
          rows={2}
          defaultValue={`${isNew ? 'Add' : 'Update'} ${file}`}
          problem={fieldProblem(error, 'commit_message')}
        />
        <Field
          label="Target branch"
          name="branch"
          hint={from === null ? 'The first branch of the repository.' : `Another name makes a new branch from ${from}.`}
          defaultValue={target}
          autoComplete="off"
          spellCheck={false}
          problem={fieldProblem(error, 'branch')}
        />
      </Form>
    </Section>
  );
}
